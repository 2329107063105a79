import { useQueries } from "@tanstack/react-query";
import type { Locale } from "@storefront/domain/identifiers";
import { useTRPC } from "../api/trpc.ts";
import { formatDay } from "../format/dates.ts";
import { formatSize } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { FailurePanel } from "../ui/state-panel.tsx";
import { TableHead } from "../ui/table-head.tsx";
import { Section } from "./section.tsx";

const columns = [
  ["Version"],
  ["Platform"],
  ["Download", "number"],
  ["Installed", "number"],
  ["Technologies"],
  ["Updated"],
] as const;

/** Items whose builds are looked up: bundles have many. */
const itemsMax = 5;
const buildsMax = 8;

/** The newest builds of the offer's items; nothing without any. */
export function Builds({ itemIds }: { itemIds: readonly string[] }) {
  const trpc = useTRPC();
  const { locale } = useSettings();
  const results = useQueries({
    queries: itemIds
      .slice(0, itemsMax)
      .map((id) => trpc.catalog.listItemBuilds.queryOptions({ id })),
  });
  const builds = results
    .flatMap(({ data }) => data ?? [])
    .toSorted((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""))
    .slice(0, buildsMax);
  const failed = results.find(
    ({ error, data }) => error?.data?.httpStatus !== 404 && error && !data,
  );
  if (failed?.error) {
    return (
      <Section title="Builds">
        <FailurePanel
          error={failed.error}
          subject="Builds"
          level={3}
          onRetry={() => void failed.refetch()}
        />
      </Section>
    );
  }
  if (builds.length === 0) return null;
  return (
    <Section title="Builds">
      <div className="table-scroll" tabIndex={0} role="group" aria-label="Builds, a wide table">
        <table className="table table--stacked">
          <TableHead columns={columns} />
          <tbody>
            {builds.map((build) => (
              <tr key={build.id}>
                <th scope="row">{build.buildVersion ?? build.id}</th>
                <td data-column="Platform">{build.platform ?? "–"}</td>
                <td data-column="Download" className="table__number">
                  {sizeText(build.downloadSizeBytes, locale)}
                </td>
                <td data-column="Installed" className="table__number">
                  {sizeText(build.installedSizeBytes, locale)}
                </td>
                <td data-column="Technologies">
                  {build.technologies.map(({ technology }) => technology).join(", ") || "–"}
                </td>
                <td data-column="Updated">{formatDay(build.updatedAt, locale) ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function sizeText(sizeBytes: number | null, locale: Locale): string {
  return sizeBytes === null ? "–" : formatSize(sizeBytes, locale);
}

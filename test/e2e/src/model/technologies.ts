import type { Catalogue } from "./catalogue.ts";
import { newestFirst } from "./order.ts";
import type { BuildRecord, ItemRecord, OfferRecord } from "./records.ts";

/**
 * The technologies of every offer by its id (`getOfferOverview`): those of the newest build of each app of
 * its items, or if those have none, of the executables of its sandbox.
 */
export function technologiesOf({ offer, item, build }: Catalogue): ReadonlyMap<string, string[]> {
  const builds = Map.groupBy(build.values(), ({ appName }) => appName ?? undefined);
  const executables = Map.groupBy(
    [...item.values()].filter(({ entitlementType }) => entitlementType === "EXECUTABLE"),
    ({ namespace }) => namespace ?? undefined,
  );
  const madeWith = (items: readonly ItemRecord[]) => {
    const apps = new Set(items.flatMap(({ releaseInfo }) => releaseInfo ?? []).map(appOf));
    apps.delete(undefined);
    return [...new Set([...apps].flatMap((app) => namesIn(newestOf(builds.get(app) ?? []))))];
  };
  const ofOffer = ({ items, namespace }: OfferRecord) => {
    const own = madeWith((items ?? []).flatMap(({ id }) => item.get(id) ?? []));
    if (own.length > 0 || typeof namespace !== "string") return own;
    return madeWith(executables.get(namespace) ?? []);
  };
  return new Map([...offer.values()].map((record) => [record.id, ofOffer(record)]));
}

function appOf({ appId }: { appId?: string | null | undefined }): string | undefined {
  return appId ?? undefined;
}

function newestOf(builds: readonly BuildRecord[]): BuildRecord | undefined {
  return newestFirst(
    builds,
    ({ updatedAt }) => updatedAt,
    ({ id }) => id,
  )[0];
}

function namesIn(build: BuildRecord | undefined): string[] {
  return (build?.technologies ?? []).flatMap(({ technology }) => technology ?? []);
}

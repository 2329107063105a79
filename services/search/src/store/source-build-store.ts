import { bulkDelete, bulkUpsert } from "@storefront/database";
import type { Transaction } from "@storefront/database";

/** What is kept of a build. */
export interface SourceBuild {
  readonly id: string;
  readonly appName: string | undefined;
  readonly updatedAtMs: number | undefined;
  /** Names, each once. */
  readonly technologies: readonly string[];
}

const byId = [{ name: "id", type: "text" }];

/** Stores builds as they are now, and takes away those that are gone. */
export async function storeBuilds(
  tx: Transaction,
  builds: readonly SourceBuild[],
  removedIds: readonly string[],
): Promise<void> {
  await bulkUpsert(
    tx,
    {
      table: "search.source_build",
      keyColumns: ["id"],
      columns: [
        ...byId,
        { name: "app_name", type: "text" },
        { name: "updated_at_ms", type: "int8" },
        { name: "technologies", type: "text[]" },
      ],
    },
    builds.map(({ id, appName, updatedAtMs, technologies }) => ({
      id,
      app_name: appName,
      updated_at_ms: updatedAtMs,
      technologies,
    })),
  );
  await bulkDelete(
    tx,
    { table: "search.source_build", keyColumns: byId },
    removedIds.map((id) => ({ id })),
  );
}

import type { Queryable } from "@storefront/database";
import type { SizedAsset } from "../domain/asset-sizes.ts";
import { foldCase } from "../domain/fold-case.ts";
import { toPage } from "./rows.ts";
import type { Page, PageRange, RecordRow } from "./rows.ts";

type ListRow = { known: boolean; total: bigint; record: Uint8Array | null };

const condition = `
  namespace = $1 and (cardinality($4::text[]) = 0 or platform_folded = any($4::text[]))`;

// As with offers: one row per asset of the page, or one without an asset.
const listOfSandbox = {
  name: "catalog.listSandboxAssets",
  text: `
    select sandbox.known, counted.total, page.record
    from (select exists (select from catalog.sandbox where id = $1) as known) as sandbox
    cross join (select count(*) as total from catalog.asset where ${condition}) as counted
    left join (
      select artifact_id, platform, updated_at, record
      from catalog.asset
      where ${condition}
      order by updated_at desc nulls last, artifact_id, platform
      limit $2 offset $3
    ) as page on true
    order by page.updated_at desc nulls last, page.artifact_id, page.platform`,
};

const sizesOfAssets = {
  name: "catalog.sizesOfAssets",
  text: `
    select artifact_id, platform, namespace, download_size_bytes, installed_size_bytes
    from catalog.asset
    where artifact_id = any($1)`,
};

interface SizesRow {
  artifact_id: string;
  platform: string;
  namespace: string;
  download_size_bytes: bigint | null;
  installed_size_bytes: bigint | null;
}

export class AssetStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * Assets of a sandbox, newest `updated_at` first; platforms in any case, none means all.
   * Undefined when no sandbox has this id.
   */
  async listOfSandbox(
    sandboxId: string,
    platforms: readonly string[],
    { offset, pageSize }: PageRange,
  ): Promise<Page<RecordRow> | undefined> {
    const rows = await this.#database.read<ListRow>(listOfSandbox, [
      sandboxId,
      pageSize,
      offset,
      platforms.map(foldCase),
    ]);
    return rows[0]?.known === true ? toPage(rows) : undefined;
  }

  /** Sizes of every asset of these applications. */
  async sizesOf(artifactIds: readonly string[]): Promise<SizedAsset[]> {
    const rows = await this.#database.read<SizesRow>(sizesOfAssets, [artifactIds]);
    return rows.map((row) => ({
      artifactId: row.artifact_id,
      platform: row.platform,
      namespace: row.namespace,
      downloadSizeBytes: row.download_size_bytes ?? undefined,
      installedSizeBytes: row.installed_size_bytes ?? undefined,
    }));
  }
}

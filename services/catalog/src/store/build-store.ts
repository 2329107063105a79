import type { Queryable } from "@storefront/database";
import type { RecordRow } from "./rows.ts";

/** An application and its newest build, null when there is none. */
export interface AppRow {
  app_name: string;
  record: Uint8Array | null;
}

const newestOf = {
  name: "catalog.newestBuilds",
  text: `
    select record
    from catalog.build
    where app_name = any($1)
    order by updated_at desc nulls last, id
    limit $2`,
};

const appsOfOffer = {
  name: "catalog.appsOfOffer",
  text: appsWithNewestBuild(
    "from catalog.offer join catalog.item on item.id = any(offer.item_ids)",
  ),
};

const appsOfSandboxOf = {
  name: "catalog.appsOfSandboxOf",
  text: appsWithNewestBuild(
    `from catalog.offer join catalog.item
      on item.namespace = offer.namespace and item.entitlement_type = 'EXECUTABLE'`,
  ),
};

export class BuildStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** The newest builds of these applications by `updated_at`, all applications in one order. */
  async newestOf(appNames: readonly string[], limit: number): Promise<RecordRow[]> {
    return await this.#database.read(newestOf, [appNames, limit]);
  }

  /** The applications of an offer's items. */
  async appsOfOffer(offerId: string): Promise<AppRow[]> {
    return await this.#database.read(appsOfOffer, [offerId]);
  }

  /** The applications of the executables of an offer's sandbox. */
  async appsOfSandboxOf(offerId: string): Promise<AppRow[]> {
    return await this.#database.read(appsOfSandboxOf, [offerId]);
  }
}

function appsWithNewestBuild(fromItems: string): string {
  return `
    select app.name as app_name, newest.record
    from (select distinct unnest(item.app_ids) as name ${fromItems} where offer.id = $1) as app
    left join lateral (
      select record
      from catalog.build
      where app_name = app.name
      order by updated_at desc nulls last, id
      limit 1
    ) as newest on true`;
}

import type { Queryable } from "@storefront/database";
import type { RecordRow } from "./record-row.ts";

/** Reads builds. */
export interface BuildStore {
  /** The newest builds of these applications by `updated_at`, all applications in one order. */
  newestOf(appNames: readonly string[], limit: number): Promise<RecordRow[]>;
  /** The applications of an offer's items. */
  appsOfOffer(offerId: string): Promise<AppRow[]>;
  /** The applications of the executables of an offer's sandbox. */
  appsOfSandboxOf(offerId: string): Promise<AppRow[]>;
}

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

export function createBuildStore(database: Queryable): BuildStore {
  return {
    newestOf: (appNames, limit) => database.read<RecordRow>(newestOf, [appNames, limit]),
    appsOfOffer: (offerId) => database.read<AppRow>(appsOfOffer, [offerId]),
    appsOfSandboxOf: (offerId) => database.read<AppRow>(appsOfSandboxOf, [offerId]),
  };
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

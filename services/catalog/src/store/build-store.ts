import type { Queryable } from "@storefront/database";
import type { RecordRow } from "./record-row.ts";

/** Reads builds. */
export interface BuildStore {
  /** The newest builds of these applications by `updated_at`, all applications in one order. */
  newestOf(appNames: readonly string[], limit: number): Promise<RecordRow[]>;
  /** The newest build of each application of an offer's items. */
  newestOfOffer(offerId: string): Promise<RecordRow[]>;
  /** The newest build of each application of the executables of an offer's sandbox. */
  newestOfSandboxOf(offerId: string): Promise<RecordRow[]>;
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

const newestOfOffer = {
  name: "catalog.newestBuildsOfOffer",
  text: newestOfEachApp("from catalog.offer join catalog.item on item.id = any(offer.item_ids)"),
};

const newestOfSandboxOf = {
  name: "catalog.newestBuildsOfSandboxOf",
  text: newestOfEachApp(
    `from catalog.offer join catalog.item
      on item.namespace = offer.namespace and item.entitlement_type = 'EXECUTABLE'`,
  ),
};

export function createBuildStore(database: Queryable): BuildStore {
  return {
    newestOf: (appNames, limit) => database.read<RecordRow>(newestOf, [appNames, limit]),
    newestOfOffer: (offerId) => database.read<RecordRow>(newestOfOffer, [offerId]),
    newestOfSandboxOf: (offerId) => database.read<RecordRow>(newestOfSandboxOf, [offerId]),
  };
}

function newestOfEachApp(fromItems: string): string {
  return `
    select newest.record
    from (select distinct unnest(item.app_ids) as name ${fromItems} where offer.id = $1) as app
    cross join lateral (
      select record
      from catalog.build
      where app_name = app.name
      order by updated_at desc nulls last, id
      limit 1
    ) as newest`;
}

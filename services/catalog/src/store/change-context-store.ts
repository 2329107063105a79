import type { Queryable } from "@storefront/database";

/** A record under the context id that it was asked by. */
export interface ContextRow {
  id: string;
  record: Uint8Array;
  /** Of an asset: the item it installs, when known. */
  item: Uint8Array | null;
}

/** The types of context that have records. */
export type ContextType = "offer" | "item" | "asset" | "build" | "sandbox";

// An asset goes by its artifact id or, where no artifact has that id, by its own; of several the first
// by platform and namespace stands for it.
const contextAssets = {
  name: "catalog.contextAssets",
  text: `
    select wanted.id, found.record, item.record as item
    from unnest($1::text[]) as wanted(id)
    cross join lateral (
      (select 1 as place, record, item_id from catalog.asset where artifact_id = wanted.id
        order by platform, namespace limit 1)
      union all
      (select 2 as place, record, item_id from catalog.asset where id = wanted.id
        order by artifact_id, platform, namespace limit 1)
      order by place
      limit 1
    ) as found
    left join catalog.item on item.id = found.item_id`,
};

const statements = {
  offer: byId("offer"),
  item: byId("item"),
  asset: contextAssets,
  build: byId("build"),
  sandbox: byId("sandbox"),
};

/** Reads the records that changelog entries are about. */
export class ChangeContextStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** The known records of one type; ids that have none are left out. */
  async list(type: ContextType, ids: readonly string[]): Promise<ContextRow[]> {
    return ids.length === 0 ? [] : await this.#database.read(statements[type], [ids]);
  }
}

function byId(table: Exclude<ContextType, "asset">): { name: string; text: string } {
  return {
    name: `catalog.context.${table}`,
    text: `select id, record, null::bytea as item from catalog.${table} where id = any($1)`,
  };
}

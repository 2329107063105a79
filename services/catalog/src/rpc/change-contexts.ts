import { toBinary } from "@bufbuild/protobuf";
import {
  BatchGetChangeContextsResponseSchema,
  ChangeContextRefSchema,
  ChangeContextSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import type { ChangeContextRef } from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf, EncodedWriter } from "@storefront/rpc";
import type { CatalogHandlers } from "./handlers.ts";
import type { Queryable } from "@storefront/database";

const fields = ChangeContextSchema.field;
const types: readonly ContextType[] = ["offer", "item", "asset", "build", "sandbox"];

export function changeContextHandlers(database: Queryable) {
  return {
    async batchGetChangeContexts({ refs }) {
      const found = await readContexts(database, refs);
      const requested = new Map(refs.map((ref) => [keyOf(ref), ref]));
      const contexts = [...requested].flatMap(([key, ref]) => {
        const context = found.get(key);
        return context === undefined ? [] : [writeContext(ref, context)];
      });
      return encodedOf(BatchGetChangeContextsResponseSchema, { contexts });
    },
  } satisfies CatalogHandlers;
}

interface FoundContext extends ContextRow {
  type: ContextType;
}

async function readContexts(
  database: Queryable,
  refs: readonly ChangeContextRef[],
): Promise<Map<string, FoundContext>> {
  const found = await Promise.all(
    types.map(async (type) => {
      const ofType = refs.filter(({ contextType }) => contextType === type);
      if (ofType.length === 0) return [];
      const ids = [...new Set(ofType.map(({ contextId }) => contextId))];
      const rows = await database.read<ContextRow>(statements[type], [ids]);
      return rows.map((row) => ({ ...row, type }));
    }),
  );
  return new Map(
    found.flat().map((row) => [keyOf({ contextType: row.type, contextId: row.id }), row]),
  );
}

function keyOf({ contextType, contextId }: Pick<ChangeContextRef, "contextType" | "contextId">) {
  return JSON.stringify([contextType, contextId]);
}

function writeContext(ref: ChangeContextRef, { type, record, item }: FoundContext): Uint8Array {
  const writer = new EncodedWriter()
    .message(fields.ref.number, toBinary(ChangeContextRefSchema, ref))
    .message(fields[type].number, record);
  if (item !== null) writer.message(fields.assetItem.number, item);
  return writer.finish();
}

/** A record under the context id of its request. */
interface ContextRow {
  id: string;
  record: Uint8Array;
  /** Of an asset: the item it installs, when known. */
  item: Uint8Array | null;
}

/** The types of context that have records. */
type ContextType = "offer" | "item" | "asset" | "build" | "sandbox";

// An asset is found by its artifact id or, where no artifact has that id, by its own; of several, the first
// by platform and namespace is used.
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

function byId(table: Exclude<ContextType, "asset">): { name: string; text: string } {
  return {
    name: `catalog.context.${table}`,
    text: `select id, record, null::bytea as item from catalog.${table} where id = any($1)`,
  };
}

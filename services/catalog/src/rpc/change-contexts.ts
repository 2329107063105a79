import { toBinary } from "@bufbuild/protobuf";
import {
  BatchGetChangeContextsResponseSchema,
  ChangeContextRefSchema,
  ChangeContextSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import type { ChangeContextRef } from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf, EncodedWriter } from "@storefront/rpc";
import type { ChangeContextStore, ContextRow, ContextType } from "../store/change-context-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

const fields = ChangeContextSchema.field;
const types: readonly ContextType[] = ["offer", "item", "asset", "build", "sandbox"];

export function changeContextHandlers(deps: { changeContexts: ChangeContextStore }) {
  return {
    async batchGetChangeContexts({ refs }) {
      const found = await readContexts(deps.changeContexts, refs);
      const asked = new Map(refs.map((ref) => [keyOf(ref), ref]));
      const contexts = [...asked].flatMap(([key, ref]) => {
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
  store: ChangeContextStore,
  refs: readonly ChangeContextRef[],
): Promise<Map<string, FoundContext>> {
  const found = await Promise.all(
    types.map(async (type) => {
      const asked = refs.filter(({ contextType }) => contextType === type);
      const ids = [...new Set(asked.map(({ contextId }) => contextId))];
      return (await store.list(type, ids)).map((row) => ({ ...row, type }));
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

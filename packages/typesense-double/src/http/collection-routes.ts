import type { Collection } from "../documents/collection.ts";
import type { JsonObject } from "../json.ts";
import { alterSchema } from "../schema/alter-schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import { bodyObject } from "./api-request.ts";
import type { Route, RouteContext } from "./route.ts";

/** `/collections`. */
export const collectionRoutes: readonly Route[] = [
  {
    target: "POST /collections",
    status: 201,
    handle: ({ store, request }) => describeCollection(store.create(bodyObject(request))),
  },
  { target: "GET /collections", handle: listCollections },
  {
    target: "GET /collections/:collection",
    handle: ({ collection }) => describeCollection(collection()),
  },
  {
    target: "PATCH /collections/:collection",
    handle: ({ collection, request }) => {
      const body = bodyObject(request);
      alterSchema(collection(), body);
      return body;
    },
  },
  {
    target: "DELETE /collections/:collection",
    handle: ({ store, part }) => describeCollection(store.drop(part("collection"))),
  },
];

function listCollections({ store, request }: RouteContext) {
  const start = pageParameter(request.query, "offset", "Offset") ?? 0;
  const count = pageParameter(request.query, "limit", "Limit");
  const end = count === undefined || count === 0 ? undefined : start + count;
  return store.collections().slice(start, end).map(describeCollection);
}

function pageParameter(
  query: ReadonlyMap<string, string>,
  name: string,
  title: string,
): number | undefined {
  const value = query.get(name);
  if (value === undefined) return undefined;
  if (/^\d+$/u.test(value)) return Number(value);
  throw new TypesenseError(`${title} param should be unsigned integer.`);
}

function describeCollection(collection: Collection): JsonObject {
  const { schema } = collection;
  return {
    created_at: collection.createdAt,
    curation_sets: [],
    default_sorting_field: schema.defaultSortingField,
    enable_nested_fields: schema.enableNestedFields,
    fields: schema.fields,
    ...(schema.metadata !== undefined && { metadata: schema.metadata }),
    name: collection.name,
    num_documents: collection.size,
    symbols_to_index: schema.symbolsToIndex,
    synonym_sets: [],
    token_separators: schema.tokenSeparators,
  };
}

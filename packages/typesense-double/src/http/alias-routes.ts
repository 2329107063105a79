import { TypesenseError } from "../typesense-error.ts";
import { bodyObject } from "./api-request.ts";
import type { Route } from "./route.ts";

/** `/aliases`. */
export const aliasRoutes: readonly Route[] = [
  { target: "GET /aliases", handle: ({ store }) => ({ aliases: store.aliases() }) },
  { target: "GET /aliases/:alias", handle: ({ store, part }) => store.alias(part("alias")) },
  {
    target: "PUT /aliases/:alias",
    handle: ({ store, request, part }) => {
      const target = bodyObject(request)["collection_name"];
      if (typeof target !== "string") {
        throw new TypesenseError("Parameter `collection_name` is required.");
      }
      store.setAlias(part("alias"), target);
      return store.alias(part("alias"));
    },
  },
  {
    target: "DELETE /aliases/:alias",
    handle: ({ store, part }) => {
      const dropped = store.alias(part("alias"));
      store.dropAlias(dropped.name);
      return dropped;
    },
  },
];

import { TypesenseError } from "../typesense-error.ts";
import { bodyObject } from "./api-request.ts";
import type { Route } from "./route.ts";

/** `/aliases`. */
export const aliasRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/aliases",
    handle: ({ store }) => ({ status: 200, body: { aliases: store.aliases() } }),
  },
  {
    method: "GET",
    path: "/aliases/:alias",
    handle: ({ store, part }) => ({ status: 200, body: store.alias(part("alias")) }),
  },
  {
    method: "PUT",
    path: "/aliases/:alias",
    handle: ({ store, request, part }) => {
      const target = bodyObject(request)["collection_name"];
      if (typeof target !== "string") {
        throw new TypesenseError(400, "Parameter `collection_name` is required.");
      }
      store.setAlias(part("alias"), target);
      return { status: 200, body: store.alias(part("alias")) };
    },
  },
  {
    method: "DELETE",
    path: "/aliases/:alias",
    handle: ({ store, part }) => {
      const dropped = store.alias(part("alias"));
      store.dropAlias(dropped.name);
      return { status: 200, body: dropped };
    },
  },
];

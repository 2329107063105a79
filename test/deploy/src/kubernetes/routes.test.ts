import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import openApiDocument from "../../../../gateway/openapi.json" with { type: "json" };
import { subscriptions } from "../../../../gateway/src/operations/router.ts";
import { zRoute } from "./gateway-api.ts";
import { production } from "./trees.ts";

interface PathItem {
  readonly get?: { readonly responses: { readonly 200: { readonly content: object } } };
  readonly post?: object;
}

/** Paths of event streams, and of files that are sent in parts. */
const longPaths = Object.entries<PathItem>(openApiDocument.paths).flatMap(([path, { get }]) => {
  if (get === undefined) return [];
  const isStream = "text/event-stream" in get.responses[200].content;
  return isStream || "206" in get.responses ? [path] : [];
});

test("routes limit the time of all responses but long-lived ones", async () => {
  const text = await readFile(join(production, "routes.yaml"), "utf8");
  const routes = parseAllDocuments(text).map((document) => zRoute.parse(document.toJS()));
  const unlimited = routes
    .flatMap((route) => (route.kind === "HTTPRoute" ? route.spec.rules : []))
    .filter(({ timeouts }) => timeouts?.request === "0s")
    .flatMap(({ matches }) =>
      matches.map(({ path, method }) => `${method} ${path.type} ${path.value}`),
    );
  // A path with a parameter is matched by its prefix: implementations rank regular expressions differently.
  const expected = longPaths.map((path) => {
    const [prefix] = path.split("/{", 1);
    return `GET ${prefix === path ? "Exact" : "PathPrefix"} ${prefix}`;
  });
  const subscribed = Object.keys(subscriptions).map((name) => `GET Exact /trpc/${name}`);
  expect(Math.min(expected.length, subscribed.length)).toBeGreaterThan(1);
  expect(unlimited.toSorted()).toEqual([...expected, ...subscribed].toSorted());
});

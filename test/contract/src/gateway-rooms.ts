/**
 * The gateway's folders and what each may import of the others. A room stands below those that it
 * imports, so that imports have one direction. What lies beside the rooms composes them.
 */
export const gatewayRooms: readonly { readonly room: string; readonly may: readonly string[] }[] = [
  { room: "errors", may: [] },
  { room: "schemas", may: [] },
  { room: "tags", may: [] },
  { room: "shape", may: ["schemas"] },
  { room: "http", may: ["errors"] },
  { room: "upstream", may: ["errors", "tags"] },
  { room: "cache", may: ["errors", "tags", "http", "upstream"] },
  { room: "compose", may: ["errors", "schemas", "shape", "http", "upstream"] },
  { room: "log-hub", may: ["errors", "http", "upstream", "compose"] },
  { room: "snapshot", may: ["errors", "http", "upstream"] },
  {
    room: "operations",
    may: [
      "errors",
      "schemas",
      "shape",
      "http",
      "upstream",
      "cache",
      "compose",
      "log-hub",
      "snapshot",
    ],
  },
  { room: "protection", may: ["errors", "http"] },
  { room: "pages", may: ["errors", "http", "protection"] },
  { room: "docs", may: ["errors", "http", "protection", "pages"] },
  {
    room: "rest",
    may: ["errors", "schemas", "http", "upstream", "cache", "snapshot", "operations", "protection"],
  },
  { room: "trpc", may: ["errors", "http", "upstream", "cache", "operations"] },
  { room: "mcp", may: ["errors", "http", "upstream", "operations"] },
  { room: "metrics", may: ["http", "upstream", "log-hub", "rest"] },
  { room: "openapi", may: ["operations"] },
  { room: "client-types", may: ["operations", "openapi"] },
];

/** Files of the gateway that lie beside the rooms: they compose them, or start it. */
export const gatewayComposition: readonly string[] = [
  "config.ts",
  "create-gateway.ts",
  "gateway-options.ts",
  "index.ts",
  "main.ts",
];

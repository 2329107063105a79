/** What a part may import: workspace parts by short name, and third-party packages by prefix. */
export interface ImportRule {
  /** Folders (relative to the root) that the rule holds for. */
  readonly folders: readonly string[];
  /** Workspace parts, without `@storefront/`; `*` allows every one. */
  readonly parts: readonly string[];
  /** Workspace parts that may be imported with `import type` only. */
  readonly typeOnlyParts?: readonly string[];
  /** When set, the only third-party packages allowed. */
  readonly onlyPackages?: readonly string[];
  /** Third-party packages that are not allowed. */
  readonly forbiddenPackages?: readonly string[];
}

const edgePackages = ["express", "@trpc/server", "trpc-to-openapi"];

/**
 * Who may import whom, for production code. Tests may import more: testkit, and what they test against.
 * The table is the one of ARCHITECTURE.md.
 */
export const importRules: readonly ImportRule[] = [
  { folders: ["packages/contracts"], parts: [], onlyPackages: ["@bufbuild/protobuf"] },
  {
    folders: ["packages/call-scope", "packages/config", "packages/telemetry"],
    parts: [],
  },
  // Types of zod only, so that who uses them loads nothing.
  { folders: ["packages/identifiers"], parts: [], onlyPackages: ["zod"] },
  { folders: ["packages/regions"], parts: ["identifiers"] },
  {
    folders: ["packages/price-lows"],
    parts: ["contracts"],
    onlyPackages: ["@bufbuild/protobuf"],
  },
  // For tests, of other products as well: it needs nothing but Node.
  { folders: ["packages/rpc"], parts: ["contracts", "telemetry", "config", "call-scope"] },
  { folders: ["packages/database"], parts: ["telemetry", "config", "call-scope"] },
  { folders: ["packages/cache"], parts: ["telemetry", "config", "call-scope"] },
  { folders: ["packages/import-format"], parts: ["contracts", "config"] },
  {
    folders: ["packages/change-feed"],
    parts: ["contracts", "database", "rpc", "telemetry", "call-scope"],
  },
  {
    folders: ["packages/ingest"],
    parts: ["contracts", "database", "rpc", "change-feed", "import-format", "telemetry"],
  },
  {
    folders: ["packages/service-process"],
    parts: ["config", "telemetry", "rpc", "database", "change-feed", "ingest"],
  },
  { folders: ["packages/sample-data"], parts: ["regions", "identifiers"] },
  {
    folders: ["services"],
    parts: [
      "contracts",
      "rpc",
      "database",
      "call-scope",
      "change-feed",
      "import-format",
      "ingest",
      "service-process",
      "cache",
      "telemetry",
      "config",
      "regions",
      "identifiers",
      "price-lows",
    ],
    forbiddenPackages: edgePackages,
  },
  {
    folders: ["gateway"],
    parts: [
      "contracts",
      "rpc",
      "call-scope",
      "cache",
      "telemetry",
      "config",
      "regions",
      "identifiers",
      "price-lows",
      "import-format",
    ],
    forbiddenPackages: ["typesense", "pg", "@electric-sql/pglite", "@neondatabase/serverless"],
  },
  {
    // Published: what it imports, its users install. `tsdown` builds it.
    folders: ["packages/client"],
    parts: ["contracts"],
    // The last three are asked for by how it is built, not by what is published.
    onlyPackages: [
      "@trpc/client",
      "@trpc/server",
      "@connectrpc/connect",
      "@bufbuild/protobuf",
      "rolldown",
      "tsdown",
    ],
  },
  { folders: ["packages/explorer"], parts: ["client", "identifiers"] },
  { folders: ["deploy/bundle"], parts: ["config"], onlyPackages: ["rolldown"] },
  { folders: ["packages/cli", "packages/testkit", "test"], parts: ["*"] },
];

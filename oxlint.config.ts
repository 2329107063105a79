import { defineConfig } from "oxlint";
import type { OxlintOverride } from "oxlint";

/** Names of packages, parted by spaces. */
interface Part {
  /** Those of the workspace that a part may import, as in ARCHITECTURE.md. */
  readonly may: string;
  /** The only ones of others that it may import; default all. */
  readonly only?: string;
  /** Those of others that it may not import. */
  readonly never?: string;
}

const gateway: Part = {
  may: "contracts rpc process domain import-format",
  never: "typesense pg @electric-sql/pglite @neondatabase/serverless",
};

const parts: Readonly<Record<string, Part>> = {
  "packages/contracts": { may: "", only: "@bufbuild/protobuf" },
  "packages/process": { may: "" },
  // Types of zod only, so that importers load nothing.
  "packages/domain": { may: "contracts", only: "@bufbuild/protobuf zod" },
  "packages/rpc": { may: "contracts process" },
  "packages/database": { may: "process" },
  "packages/import-format": { may: "contracts process" },
  "packages/change-feed": { may: "contracts database rpc process" },
  "packages/ingest": { may: "contracts database rpc change-feed import-format process" },
  "packages/service-process": { may: "process rpc database change-feed ingest" },
  "packages/sample-data": { may: "domain" },
  "services/*": {
    may: `${gateway.may} database change-feed ingest service-process`,
    never: "express @trpc/server trpc-to-openapi",
  },
  gateway,
  // Published, so its users install what it imports; the last two build it.
  "packages/client": {
    may: "contracts",
    only: "@trpc/client @trpc/server @connectrpc/connect @bufbuild/protobuf rolldown tsdown",
  },
  "packages/explorer": { may: "client domain" },
  "examples/*": { may: "client" },
  "deploy/bundle": { may: "process", only: "rolldown" },
};

/** The gateway's folders, each with those before it that it may import. */
const folders: Readonly<Record<string, string>> = {
  errors: "",
  redis: "",
  regions: "",
  schemas: "regions",
  tags: "",
  records: "regions schemas",
  http: "errors",
  upstream: "errors redis tags",
  cache: "errors redis regions tags http upstream",
  compose: "errors regions schemas records http upstream",
  "log-hub": "errors http upstream compose",
  snapshot: "errors http upstream",
  operations: "errors regions schemas records http upstream cache compose log-hub snapshot",
  protection: "errors redis http",
  pages: "errors http protection",
  docs: "errors http protection pages",
  rest: "errors schemas http upstream cache snapshot operations protection",
  trpc: "errors http upstream cache operations",
  mcp: "errors http upstream cache operations",
  metrics: "http upstream log-hub rest",
  openapi: "errors operations schemas",
};
/** Files beside these folders, which compose them. */
const composition = ["config", "create-gateway", "gateway-options", "index", "main"];

const named = (text = "") => text.split(" ").filter((name) => name !== "");
const below = (names: readonly string[]) => names.flatMap((name) => [name, `${name}/**`]);
const except = (names: readonly string[]) => below(names).map((name) => `!${name}`);

/** Refuses imports by patterns as in `.gitignore`: the last one that matches decides. */
function refusing(
  files: string,
  { may, only, never }: Part,
  relative: readonly string[] = [],
): OxlintOverride {
  const group = [
    ...(only === undefined
      ? below(named(never))
      : ["**", "!./**", "!../**", ...except(["node:*", ...named(only)])]),
    "@storefront/**",
    ...except(named(may).map((name) => `@storefront/${name}`)),
    // Of another part.
    "../**/src/**",
    ...relative,
  ];
  const message = "oxlint.config.ts does not list it for this folder.";
  const patterns = [{ group, message }];
  return { files: [files], rules: { "eslint/no-restricted-imports": ["error", { patterns }] } };
}

function refusingInFolder(folder: string, index: number): OxlintOverride {
  const names = Object.keys(folders);
  const may = named(folders[folder]);
  const others = names.filter((name, at) => name !== folder && !(at < index && may.includes(name)));
  const refused = [
    ...others.map((name) => `${name}/**`),
    ...composition.map((name) => `${name}.ts`),
  ];
  const ways = ["../", "../../", "../../../", "../../../../"];
  return refusing(
    `gateway/src/${folder}/**`,
    gateway,
    ways.flatMap((way) => refused.map((path) => way + path)),
  );
}

export default defineConfig({
  plugins: ["typescript", "unicorn", "import", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  rules: {
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/switch-exhaustiveness-check": [
      "error",
      { considerDefaultExhaustiveForUnions: true },
    ],
    // Off: reading by descriptor, parsed JSON and rows of SQL cannot be narrowed without an assertion.
    "typescript/no-unsafe-type-assertion": "off",
    // Off: a helper reads best beside its only use.
    "unicorn/consistent-function-scoping": "off",
    "eslint/no-console": "error",
    "eslint/eqeqeq": "error",
    "import/no-cycle": ["error", { ignoreTypes: false }],
    // Styles have nothing to assign.
    "import/no-unassigned-import": ["error", { allow: ["**/*.css"] }],
  },
  overrides: [
    // A part that is not listed imports no other one.
    refusing("{packages,deploy}/**", { may: "" }),
    ...Object.entries(parts).map(([folder, part]) => refusing(`${folder}/**`, part)),
    // A folder that is not listed imports no other one.
    refusing("gateway/src/**", gateway, ["../*/**"]),
    ...Object.keys(folders).map(refusingInFolder),
    {
      files: ["**/*.test.{ts,tsx}", "**/{test,testing}/**", "packages/{cli,testkit}/**"],
      rules: { "eslint/no-restricted-imports": "off" },
    },
  ],
  ignorePatterns: ["packages/contracts/src/gen", "packages/rpc/test/gen", "**/dist"],
});

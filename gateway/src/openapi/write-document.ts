// Writes gateway/openapi.json and the client's types of the router; with --check only says whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { appRouter, subscriptions } from "../operations/router.ts";
import { buildClientTypes } from "./build-client-types.ts";
import { buildDocument } from "./build-document.ts";

const product = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
) as { version: string };

const texts = {
  "gateway/openapi.json": `${JSON.stringify(buildDocument(product.version), null, 2)}\n`,
  "packages/client/src/gen/catalog-operations.ts": buildClientTypes(appRouter, subscriptions),
};

for (const [path, text] of Object.entries(texts)) {
  const file = new URL(`../../../${path}`, import.meta.url);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    process.stderr.write(`${path} is out of date: run pnpm generate\n`);
    process.exitCode = 1;
  }
}

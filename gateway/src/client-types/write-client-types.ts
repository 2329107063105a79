// Writes the client's types of the router; with --check only tells whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { appRouter, subscriptions } from "../operations/router.ts";
import { buildClientTypes } from "./build-client-types.ts";

const file = new URL("../../../packages/client/src/gen/catalog-operations.ts", import.meta.url);
const text = buildClientTypes(appRouter, subscriptions);

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write(
    "packages/client/src/gen is out of date: run node gateway/src/client-types/write-client-types.ts\n",
  );
  process.exitCode = 1;
}

// Writes gateway/openapi.json from the router; with --check only tells whether it is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { buildDocument } from "./build-document.ts";

const file = new URL("../../openapi.json", import.meta.url);
const text = `${JSON.stringify(buildDocument(manifest.version), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write(
    "gateway/openapi.json is out of date: run node gateway/src/openapi/write-document.ts\n",
  );
  process.exitCode = 1;
}

// Writes gateway/openapi.json from the router; with --check only tells whether it is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { buildDocument } from "./build-document.ts";

const product = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
) as { version: string };
const file = new URL("../../openapi.json", import.meta.url);
const text = `${JSON.stringify(buildDocument(product.version), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write(
    "gateway/openapi.json is out of date: run node gateway/src/openapi/write-document.ts\n",
  );
  process.exitCode = 1;
}

// Prints the lines of the repository's own code by room, as a Markdown table. `.gitattributes` names the
// generated and foreign files, which are not counted.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { measureTree } from "./measure-tree.ts";
import type { Size } from "./measure-tree.ts";

const extensions = ["ts", "tsx", "js", "mjs", "css", "sql", "proto", "sh", "html"];

const columns: Record<string, (size: Size) => string | number | undefined> = {
  room: ({ room }) => room,
  "source lines": ({ sourceLines }) => sourceLines,
  "TypeScript files": ({ typeScriptFiles }) => typeScriptFiles,
  "median lines": ({ medianLines }) => medianLines,
  "one importer": ({ singleImporter }) => singleImporter,
  "test files": ({ testFiles }) => testFiles,
  "test lines": ({ testLines }) => testLines,
};

process.chdir(fileURLToPath(new URL("../../../..", import.meta.url)));
const own = extensions.map((name) => `:(attr:!linguist-generated !linguist-vendored)*.${name}`);
const files = execFileSync("git", ["ls-files", "-z", ...own], { encoding: "utf8" })
  .split("\0")
  // A deleted file is listed until the deletion is staged.
  .filter((path) => path !== "" && existsSync(path))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

const titles = Object.keys(columns);
const rows = measureTree(files).map((size) =>
  Object.values(columns).map((value) => value(size)?.toLocaleString("en") ?? "–"),
);
const widths = titles.map((title, at) =>
  Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
);
const rule = widths.map((width, at) =>
  at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
);
for (const row of [titles, rule, ...rows]) {
  const cells = row.map((cell, at) =>
    at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
  );
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

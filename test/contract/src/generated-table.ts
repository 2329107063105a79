import { readFileSync, writeFileSync } from "node:fs";

/** A table of Markdown, padded as the formatter does. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const [titles = [], ...cells] = rows;
  const widths = titles.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [titles, widths.map((width) => "-".repeat(width)), ...cells].map(lineOf).join("\n");
}

/** Rewrites a file in `docs`; with `--check` it fails instead if the text would change. */
export function rewriteDocument(name: string, rewrite: (before: string) => string): void {
  const file = new URL(`../../../docs/${name}`, import.meta.url);
  const before = readFileSync(file, "utf8");
  const text = rewrite(before);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (before !== text) {
    process.stderr.write(`docs/${name} is out of date: run pnpm generate\n`);
    process.exitCode = 1;
  }
}

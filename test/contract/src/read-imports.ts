import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One import or re-export of a source file. */
export interface ImportStatement {
  /** What stands in the quotes. */
  readonly specifier: string;
  /** Erased at run time: `import type … from` or `export type … from`. */
  readonly typeOnly: boolean;
}

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;"'`]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

/** Gives the imports of a TypeScript source text, static and dynamic, in their order. */
export function importsOf(source: string): ImportStatement[] {
  return [...source.matchAll(statement)].map((match) => ({
    specifier: match[2] ?? match[3] ?? match[4] ?? "",
    typeOnly: match[1] !== undefined,
  }));
}

/** Gives the TypeScript files below a folder, without installed packages and generated code. */
export function sourceFilesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ["node_modules", "gen", "dist"].includes(entry.name) ? [] : sourceFilesBelow(path);
    }
    return /\.(ts|tsx|mts)$/.test(entry.name) ? [path] : [];
  });
}

/** Tells whether a file holds tests or is used by tests only. */
export function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /\/(test|testing)\//.test(path) || path.startsWith("test/");
}

/** Reads a file as text. */
export function readSource(path: string): string {
  return readFileSync(path, "utf8");
}

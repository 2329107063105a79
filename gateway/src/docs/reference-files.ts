import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The API reference as its publisher built it for browsers. */
export interface ReferenceFiles {
  directory: string;
  /** Scripts below the directory, with slashes, such as `chunks/x.js`. */
  names: ReadonlySet<string>;
  /** The script that loads the others; their names change with their content. */
  entry: Buffer;
}

/** The name of the script that the others are loaded by. */
const referenceEntry = "standalone.esm.js";

/**
 * Finds the installed API reference.
 *
 * @throws Error when it is not installed
 */
export function findReferenceFiles(): ReferenceFiles {
  const main = createRequire(import.meta.url).resolve("@scalar/api-reference");
  const directory = join(dirname(main), "browser");
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name === referenceEntry || /^chunks\/[\w.-]+\.js$/.test(name));
  return { directory, names: new Set(names), entry: readFileSync(join(directory, referenceEntry)) };
}

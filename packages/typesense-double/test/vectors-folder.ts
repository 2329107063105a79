import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const repositoryRoot = resolve(import.meta.dirname, "../../..");

/**
 * The folder of test vectors: what `TYPESENSE_VECTORS` names, else `typesense/vectors` in the developers'
 * folder. Where there is none the reason is printed and undefined returned.
 *
 * @throws Error when `TYPESENSE_VECTORS` names no folder
 */
export function vectorsFolder(): string | undefined {
  const named = process.env["TYPESENSE_VECTORS"];
  if (named !== undefined) {
    if (existsSync(named)) return named;
    throw new Error(`TYPESENSE_VECTORS names no folder: ${named}`);
  }
  const shared = resolve(repositoryRoot, process.env["STOREFRONT_SHARED"] ?? "../shared");
  const folder = join(shared, "typesense/vectors");
  if (existsSync(folder)) return folder;
  process.stderr.write(
    "skipped: answers of a real Typesense server: no folder named by TYPESENSE_VECTORS\n",
  );
  return undefined;
}

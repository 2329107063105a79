import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The developers' folder of real data, which is not part of the repository. */
export interface SharedData {
  /** Files in the import format, gzip-compressed. */
  importFiles: Readonly<Record<"catalog" | "community" | "history" | "prices" | "texts", string>>;
  /** Absolute path of a file in the folder, such as `data/tags.json`; may be missing. */
  path(relative: string): string;
}

const repositoryRoot = resolve(import.meta.dirname, "../../..");

/**
 * Locates the real data: the folder that `STOREFRONT_SHARED` names, else `shared` beside the repository.
 * Without it prints the reason and returns undefined: skip the test.
 */
export function sharedData(): SharedData | undefined {
  const path = (relative: string) => join(sharedRoot(), relative);
  if (!existsSync(path("data/import"))) {
    process.stderr.write("skipped: tests on real data: no folder named by STOREFRONT_SHARED\n");
    return undefined;
  }
  const importFile = (name: string) => path(`data/import/${name}.ndjson.gz`);
  return {
    importFiles: {
      catalog: importFile("catalog"),
      community: importFile("community"),
      history: importFile("history"),
      prices: importFile("prices"),
      texts: importFile("texts"),
    },
    path,
  };
}

/** A file of the folder, such as `kubernetes/setup.sh`; undefined where it or the folder is missing. */
export function sharedFile(relative: string): string | undefined {
  const path = join(sharedRoot(), relative);
  return existsSync(path) ? path : undefined;
}

function sharedRoot(): string {
  return resolve(repositoryRoot, process.env["STOREFRONT_SHARED"] ?? "../shared");
}

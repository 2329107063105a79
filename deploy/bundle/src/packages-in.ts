import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutputChunk } from "rolldown";

/** A third-party package of which something is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, where the package tells. */
  readonly license: string | undefined;
  /** Where it is installed. */
  readonly directory: string;
}

/** The third-party packages whose modules are in the chunks, by name and version. */
export async function packagesIn(chunks: readonly OutputChunk[]): Promise<BundledPackage[]> {
  const directories = new Set(
    chunks
      .flatMap(({ moduleIds }) => moduleIds)
      .map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])
      .filter((directory) => directory !== undefined),
  );
  return Promise.all([...directories].map(readPackage));
}

/** @throws Error when there is no package in the directory */
export async function readPackage(directory: string): Promise<BundledPackage> {
  const text = await readFile(join(directory, "package.json"), "utf8");
  const { name, version, license } = JSON.parse(text) as {
    name: string;
    version: string;
    license?: string;
  };
  return { name, version, license, directory };
}

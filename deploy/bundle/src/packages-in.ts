import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OutputChunk } from "rolldown";

/** A third-party package with code in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, where the package has one. */
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

/**
 * The third-party packages that a package depends on, directly or not: at least those that a build of it
 * can contain.
 *
 * @param directory where the package is.
 * @param without names of those that only build it.
 */
export async function packagesBehind(
  directory: string,
  without: readonly string[],
): Promise<BundledPackage[]> {
  const found: BundledPackage[] = [];
  const seen = new Set<string>();
  const waiting = await dependenciesOf(directory, without);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    // A directory outside is a package of this repository.
    if (/[\\/]node_modules[\\/]/.test(next)) found.push(await readPackage(next));
    waiting.push(...(await dependenciesOf(next, without)));
  }
  return found;
}

/** Directories of the dependencies that are installed. */
async function dependenciesOf(directory: string, without: readonly string[]): Promise<string[]> {
  const { dependencies = {} } = JSON.parse(
    await readFile(join(directory, "package.json"), "utf8"),
  ) as { dependencies?: Record<string, string> };
  const places = Object.keys(dependencies)
    .filter((name) => !without.includes(name))
    .map((name) => find(name, directory))
    .filter((place) => place !== undefined);
  return Promise.all(places.map((place) => realpath(place)));
}

/** Where Node would find a package that a module in the directory imports. */
function find(name: string, directory: string): string | undefined {
  const place = join(directory, "node_modules", name);
  if (existsSync(place)) return place;
  const parent = dirname(directory);
  return parent === directory ? undefined : find(name, parent);
}

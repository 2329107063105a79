import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readPackage } from "./packages-in.ts";
import type { BundledPackage } from "./packages-in.ts";

/**
 * The third-party packages that a package depends on, and those that they depend on: at least what a
 * build of it can have inside.
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
    // What lies outside is a package of this repository.
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

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { packagesBehind, readPackage } from "./packages-in.ts";
import type { BundledPackage } from "./packages-in.ts";

/**
 * Builds the explorer into `pages` and copies the guides into `guides`, the API reference into `api-reference`.
 *
 * @returns the package of the latter, and those that the explorer is built of
 */
export async function copyPages(from: string, directory: string): Promise<BundledPackage[]> {
  const explorer = join(from, "packages/explorer");
  await promisify(execFile)(process.execPath, [
    join(explorer, "build/main.ts"),
    join(directory, "pages"),
  ]);
  const guides = join(from, "docs/api");
  // A checkout of an older release has none.
  if (existsSync(guides)) await cp(guides, join(directory, "guides"), { recursive: true });
  const reference = await realpath(join(from, "gateway/node_modules/@scalar/api-reference"));
  await cp(join(reference, "dist/browser"), join(directory, "api-reference/browser"), {
    recursive: true,
    filter: (path) => !/\.(?:map|d\.ts)$/.test(path),
  });
  // Vite builds the pages and is not in them.
  const behindPages = await packagesBehind(explorer, ["vite"]);
  return [await readPackage(reference), ...behindPages];
}

import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { compressFiles } from "./compress-files.ts";
import { packageDirectory } from "./package-directory.ts";

/**
 * Builds the pages into a directory of their own, which is there only when it is whole, and removes
 * earlier builds beside it. Takes one to three seconds.
 *
 * @throws Error when a source does not compile, or of the file system
 */
export async function buildPages(directory: string): Promise<void> {
  const { build } = await import("vite");
  const parent = dirname(directory);
  // Two processes may build at once: each has its own folder, and the first one counts.
  const unfinished = join(parent, `.${basename(directory)}-${process.pid}`);
  await mkdir(parent, { recursive: true });
  try {
    await build({
      root: packageDirectory,
      base: "/explorer/",
      configFile: false,
      logLevel: "silent",
      // Whatever NODE_ENV says: the caller may be a test.
      define: { "process.env.NODE_ENV": JSON.stringify("production") },
      resolve: { conditions: ["module", "browser", "production"] },
      oxc: { jsx: { runtime: "automatic", development: false } },
      build: {
        outDir: unfinished,
        emptyOutDir: true,
        target: "baseline-widely-available",
        // The security policy of the pages allows files only.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
      },
    });
    await compressFiles(unfinished);
    await removeOthers(parent, [basename(directory), basename(unfinished)]);
    await rename(unfinished, directory).catch((error: unknown) => {
      if (!existsSync(join(directory, "index.html"))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

// A gateway that runs has its pages in memory, so that it does not miss them.
async function removeOthers(parent: string, kept: readonly string[]): Promise<void> {
  const names = await readdir(parent);
  await Promise.all(
    names
      .filter((name) => !kept.includes(name) && /^[0-9a-f]{16}$/.test(name))
      .map((name) => rm(join(parent, name), { recursive: true, force: true })),
  );
}

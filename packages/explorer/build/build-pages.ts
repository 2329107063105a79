import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { packageDirectory } from "./built-pages.ts";

/**
 * Builds the pages into a directory that is named after their sources, see `builtPages`, and removes
 * earlier builds next to it. The directory appears complete. Takes one to three seconds.
 *
 * @throws Error when a source does not compile, or the file system fails
 */
export async function buildPages(directory: string): Promise<void> {
  await buildBeside(directory, async (built) => {
    await removeOtherBuilds(dirname(directory), basename(directory));
    // Two processes may build at once: the first one counts.
    await rename(built, directory).catch((error: unknown) => {
      if (!existsSync(join(directory, "index.html"))) throw error;
    });
  });
}

/**
 * Builds the pages into any directory, instead of the pages in it. Takes as long.
 *
 * @throws Error when the directory has other contents, a source does not compile, or the file system fails
 */
export async function replacePages(directory: string): Promise<void> {
  const target = resolve(directory);
  const isReplaceable =
    !existsSync(target) ||
    existsSync(join(target, "index.html.br")) ||
    (await readdir(target)).length === 0;
  if (!isReplaceable) throw new Error(`${target} has other files than built pages.`);
  await buildBeside(target, async (built) => {
    await rm(target, { recursive: true, force: true });
    await rename(built, target);
  });
}

async function buildBeside(
  directory: string,
  settle: (built: string) => Promise<void>,
): Promise<void> {
  const { build } = await import("vite");
  const parent = dirname(directory);
  const unfinished = join(parent, unfinishedName(basename(directory)));
  await mkdir(parent, { recursive: true });
  try {
    await build({
      root: packageDirectory,
      base: "/explorer/",
      configFile: false,
      logLevel: "silent",
      // Independent of NODE_ENV: the caller may be a test.
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
    await settle(unfinished);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

const textTypes = new Set([".css", ".html", ".js", ".svg"]);

/** Writes `x.br` and `x.gz`, with the best compression, next to every text file of a directory. */
async function compressFiles(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && textTypes.has(extname(entry.name)))
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const body = await readFile(path);
        const [br, gz] = await Promise.all([brotli(body), deflate(body, { level: 9 })]);
        await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
      }),
  );
}

/** Name of a build until it is complete. Two processes may build at once: each has its own folder. */
export function unfinishedName(name: string): string {
  return `.${name}-${process.pid}`;
}

/**
 * Removes the other builds: complete ones, and unfinished ones of killed processes. A running gateway has its
 * pages in memory.
 */
export async function removeOtherBuilds(parent: string, current: string): Promise<void> {
  const names = await readdir(parent);
  await Promise.all(
    names
      .filter((name) => name !== current && (isWhole(name) || isLeft(name)))
      .map((name) => rm(join(parent, name), { recursive: true, force: true })),
  );
}

function isWhole(name: string): boolean {
  return /^[0-9a-f]{16}$/.test(name);
}

function isLeft(name: string): boolean {
  const [, builder] = /^\.[0-9a-f]{16}-(\d+)$/.exec(name) ?? [];
  return builder !== undefined && !isRunning(Number(builder));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** This package's directory, without a slash at its end. */
export const packageDirectory = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** Location of built pages. */
export interface BuiltPages {
  /** Named after the digest of the pages' sources, so that it is never out of date. */
  directory: string;
  isBuilt: boolean;
}

/** Inputs of a build besides the sources: the versions of all packages. */
const settings = ["index.html", "package.json", "../../pnpm-lock.yaml"];

const sources = ["build", "public", "src"];

/**
 * Finds the pages that belong to the present sources.
 *
 * @throws Error of the file system when the sources cannot be read
 */
export async function builtPages(): Promise<BuiltPages> {
  const directory = join(packageDirectory, "dist", await digestOfSources(packageDirectory));
  return { directory, isBuilt: existsSync(join(directory, "index.html")) };
}

/** A digest of the pages' sources, as 16 hexadecimal digits. */
export async function digestOfSources(directory: string): Promise<string> {
  const listed = await Promise.all(
    [...sources, ...(await sourcesBeside(directory))].map(async (folder) =>
      (await readdir(join(directory, folder), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    ),
  );
  const paths = [...settings.map((name) => join(directory, name)), ...listed.flat()];
  const hash = createHash("sha256");
  for (const path of paths.toSorted()) {
    hash.update(`${relative(directory, path)}\0`);
    hash.update(await readFile(path));
  }
  return hash.digest("hex").slice(0, 16);
}

/** The sources of the project's own packages that the pages use: their versions never change. */
async function sourcesBeside(directory: string): Promise<string[]> {
  const { dependencies } = JSON.parse(await readFile(join(directory, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return Object.entries(dependencies)
    .filter(([, version]) => version.startsWith("workspace:"))
    .map(([name]) => join("node_modules", name, "src"));
}

const program = fileURLToPath(new URL("main.ts", import.meta.url));

/**
 * Builds the pages of the present sources, as `buildPages` does, in a child process, which frees the
 * build's 400 MiB at its end. The child ends with its parent, also when that is killed.
 *
 * @param ending ends it early; then it rejects.
 * @throws Error with the output of a failed build
 */
export async function buildPagesAside(ending: AbortSignal): Promise<void> {
  const child = fork(program, [], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // The options of this process may be a test's or a profiler's.
    execArgv: [],
    signal: ending,
  });
  const reading = child.stderr === null ? "" : text(child.stderr);
  const [output, [status, signal]] = await Promise.all([reading, once(child, "close")]);
  if (status !== 0) throw new Error(output.trim() || `the build ended with ${signal ?? status}`);
}

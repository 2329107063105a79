import { execFile } from "node:child_process";
import { readdirSync, statSync, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, sep } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../user-error.ts";

/** Directories of sources, from the root. */
const sources = ["gateway", "packages", "proto", "services"];

/**
 * Watches the sources of the repository; after a change of a `.proto` its code is generated, which changes
 * the modules.
 *
 * @param root of the repository.
 * @returns a function that ends the watching.
 */
export function watchSources(
  root: string,
  onChange: (paths: ReadonlySet<string>) => void,
  note: (line: string) => void,
): () => void {
  const generate = async () => {
    note("generates the code of the contracts");
    await generateContracts(root).catch((error: unknown) => note(messageOf(error)));
  };
  let generating = Promise.resolve();
  const directories = sources.map((name) => join(root, name));
  return watchDirectories(directories, (paths) => {
    onChange(paths);
    if (![...paths].some((path) => path.startsWith(join(root, "proto")))) return;
    generating = generating.then(generate);
  });
}

/** Editors and git write in several steps: a change is reported after this long without another, in milliseconds. */
const quietMs = 50;

/** Directories without sources. */
const ignored = /^(?:\..*|node_modules|dist|coverage)$/;

/**
 * Watches directories recursively, also those created later. Directories and not files, because a file
 * that is replaced is another one for the system.
 *
 * @param onChange gets the paths that have changed since the last call: files, and directories that were
 * created or deleted.
 * @returns ends the watching.
 * @throws Error of the file system, such as ENOSPC when the system allows no more watches.
 */
function watchDirectories(
  directories: readonly string[],
  onChange: (paths: ReadonlySet<string>) => void,
): () => void {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    const paths = changed;
    changed = new Set();
    onChange(paths);
  };
  const forget = (directory: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== directory && !path.startsWith(`${directory}${sep}`)) continue;
      watchers.delete(path);
      watcher.close();
    }
  };
  const add = (directory: string) => {
    if (watchers.has(directory)) return;
    const watcher = watch(directory, (_, name) => {
      if (name === null || ignored.test(name)) return;
      const path = join(directory, name);
      if (isDirectory(path)) addUnlessGone(path);
      else forget(path);
      changed.add(path);
      clearTimeout(timer);
      timer = setTimeout(flush, quietMs);
    });
    watchers.set(directory, watcher);
    // The directory was deleted.
    watcher.on("error", () => forget(directory));
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory() && !ignored.test(entry.name)) add(join(directory, entry.name));
    }
  };
  // For example, another branch was checked out.
  const addUnlessGone = (directory: string) => {
    try {
      add(directory);
    } catch (error) {
      if (isDirectory(directory)) throw error;
      forget(directory);
    }
  };
  for (const directory of directories) add(directory);
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const run = promisify(execFile);

/** Where `buf generate` writes, from the root of the repository. */
const generatedDirectory = "packages/contracts/src/gen";

/**
 * Generates the code of the contracts as `buf generate` does, and writes only the files that differ, so
 * that only processes that import them restart.
 *
 * @param root of the repository.
 * @throws Error with the output of buf when a proto is wrong.
 */
async function generateContracts(root: string): Promise<void> {
  const aside = await mkdtemp(join(tmpdir(), "storefront-contracts-"));
  try {
    const programs = join(root, "node_modules/.bin");
    await run(join(programs, "buf"), ["generate", "--output", aside], {
      cwd: root,
      env: { ...process.env, PATH: [programs, process.env["PATH"]].join(delimiter) },
    });
    await copyDifferent(join(aside, generatedDirectory), join(root, generatedDirectory));
  } finally {
    await rm(aside, { recursive: true });
  }
}

/** Makes one directory equal to another; writes only files that differ. */
async function copyDifferent(from: string, to: string): Promise<void> {
  const [wanted, present] = await Promise.all([filesIn(from), filesIn(to)]);
  for (const path of wanted) {
    const text = await readFile(join(from, path), "utf8");
    if (present.has(path) && (await readFile(join(to, path), "utf8")) === text) continue;
    await mkdir(dirname(join(to, path)), { recursive: true });
    await writeFile(join(to, path), text);
  }
  for (const path of present.difference(wanted)) await rm(join(to, path));
}

/** Paths of the files below a directory. */
async function filesIn(directory: string): Promise<Set<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) => join(parentPath, name).slice(directory.length)),
  );
}

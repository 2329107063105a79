import { readdirSync, statSync, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { join, sep } from "node:path";

/** Editors and git write in several steps: a change counts once nothing has followed it for so long, in milliseconds. */
const quietMs = 50;

/** What holds no sources. */
const ignored = /^(?:\..*|node_modules|dist|coverage)$/;

/**
 * Watches directories with all below them, also those made later. Directories and not files, because
 * a file that is replaced is another one for the system.
 *
 * @param onChange given the paths that have changed since the last call: files, and directories
 * that are new or gone.
 * @returns ends the watching.
 * @throws Error of the file system, such as ENOSPC when the system allows no more watches.
 */
export function watchDirectories(
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
    // A directory that is gone.
    watcher.on("error", () => forget(directory));
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory() && !ignored.test(entry.name)) add(join(directory, entry.name));
    }
  };
  // As when another branch is checked out.
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

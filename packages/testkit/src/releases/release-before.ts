import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { today } from "./release.ts";
import type { Release } from "./release.ts";

/** `test/release-before.json`: a commit, since a clone may lack tags. */
interface NotedRelease {
  version: string;
  commit: string;
}

const run = promisify(execFile);

/** Not below `node_modules`, where Node does not strip types. */
const cachedReleases = join(today.root, ".cache/releases");

/** The programs that are started and bundled, with their dependencies; not those of the root, which only tests need. */
const installation = [
  "--frozen-lockfile",
  "--prefer-offline",
  "--ignore-scripts",
  "--filter=@storefront/cli...",
  "--filter=@storefront/gateway...",
];

/** Why the release before is unavailable, undefined when it is available. */
export function missingReleaseBefore(): string | undefined {
  const { version, commit } = notedRelease();
  if (existsSync(join(cachedReleases, commit))) return undefined;
  try {
    execFileSync("git", ["cat-file", "-e", `${commit}^{commit}`], {
      cwd: today.root,
      stdio: "ignore",
    });
    return undefined;
  } catch {
    return `this clone's history does not reach release ${version} (${commit}): git fetch --unshallow`;
  }
}

/** Gets the sources and dependencies of the release before; the first time takes about 10 s. */
export async function prepareReleaseBefore(): Promise<Release> {
  const { version, commit } = notedRelease();
  const root = join(cachedReleases, commit);
  if (!existsSync(root)) await makeRelease(commit, root);
  return { version, root };
}

async function makeRelease(commit: string, root: string): Promise<void> {
  await mkdir(cachedReleases, { recursive: true });
  const making = await mkdtemp(join(cachedReleases, "making-"));
  const archive = `${making}.tar`;
  await run("git", ["archive", `--output=${archive}`, commit], { cwd: today.root });
  await run("tar", ["--extract", `--file=${archive}`, `--directory=${making}`]);
  await rm(archive);
  await run("npx", ["-y", "pnpm@12", "install", ...installation], { cwd: making });
  // Another test file may have made it meanwhile.
  await rename(making, root).catch(() => rm(making, { recursive: true }));
}

function notedRelease(): NotedRelease {
  const text = readFileSync(join(today.root, "test/release-before.json"), "utf8");
  return JSON.parse(text) as NotedRelease;
}

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where `buf generate` writes, from the root of the repository. */
const generatedDirectory = "packages/contracts/src/gen";

/**
 * Generates the code of the contracts as `buf generate` does, and writes only the files that differ:
 * only what imports these is restarted.
 *
 * @param root of the repository.
 * @throws Error with what buf said when a proto is wrong.
 */
export async function generateContracts(root: string): Promise<void> {
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

/** Makes one directory the same as another, without touching what is the same already. */
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

import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { OutputChunk } from "rolldown";
import { copyPages } from "./copy-pages.ts";
import { leaveOut } from "./leave-out.ts";
import { moveFiles } from "./move-files.ts";
import { packagesIn } from "./packages-in.ts";
import type { BundledProcess } from "./processes.ts";
import { writeInventory } from "./write-inventory.ts";

/**
 * The start of a bundle. As process 1 of a container, a program gets no signal that it does not handle:
 * one that arrives while the modules load would be lost, and the container killed after its grace period.
 * Until the program has handlers of its own, a signal ends it like any other process.
 */
const earlySignals = `for (const [signal, number] of [["SIGINT", 2], ["SIGTERM", 15]]) {
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) process.exit(128 + number);
  });
}`;

/** The source and the target of a bundle. */
export interface BundleOptions {
  /** Root of the checkout. */
  from: string;
  /** Replaced if it exists. */
  directory: string;
}

/**
 * Bundles a process: `main.js` with the chunks that it may load later, its migrations and pages, and
 * what it is made of (`sbom.json`, `LICENSES.txt`). The directory needs nothing but Node.
 *
 * @throws Error when a module cannot be found, or of the file system
 */
export async function bundleProcess(
  bundled: BundledProcess,
  { from, directory }: BundleOptions,
): Promise<{ sizeBytes: number }> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const chunks = await writeChunks(bundled, { from, directory });
  const packages = await packagesIn(chunks);
  for (const service of bundled.migrations) {
    const migrations = join(from, "services", service, "migrations");
    if (!existsSync(migrations)) continue;
    await cp(migrations, join(directory, "migrations", service), { recursive: true });
  }
  if (bundled.hasPages) packages.push(...(await copyPages(from, directory)));
  const { version } = JSON.parse(await readFile(join(from, "package.json"), "utf8")) as {
    version: string;
  };
  // Declares that the files are modules; Node would try CommonJS first.
  const manifest = { name: `storefront-${bundled.name}`, version, type: "module" };
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest)}\n`);
  await copyFile(join(from, "LICENSE"), join(directory, "LICENSE"));
  await writeInventory(directory, { name: manifest.name, version, packages });
  return { sizeBytes: await directorySize(directory) };
}

async function writeChunks(
  bundled: BundledProcess,
  { from, directory }: BundleOptions,
): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    cwd: from,
    input: { main: join(from, bundled.entry) },
    platform: "node",
    tsconfig: false,
    plugins: [leaveOut(from), moveFiles()],
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    // Modules of the repository have no side effects, so unused code can be left out.
    treeshake: {
      moduleSideEffects: [
        { test: /\/node_modules\//, sideEffects: true },
        { test: /\.ts$/, sideEffects: false },
      ],
    },
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  try {
    const { output } = await bundle.write({
      dir: directory,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      banner: (chunk) => (chunk.name === "main" ? earlySignals : ""),
      // Names stay: log lines contain an error's class and stacks its functions.
      minify: { compress: { keepNames: { function: true, class: true } }, mangle: false },
      comments: false,
    });
    return output.filter((file) => file.type === "chunk");
  } finally {
    await bundle.close();
  }
}

/** Bytes in the files of a directory. */
async function directorySize(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

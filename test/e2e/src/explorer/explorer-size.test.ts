import { builtPages, replacePages } from "@storefront/explorer";
import { makeTemporaryDirectory } from "@storefront/testkit";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Total size of all files as they are sent. */
const sizeMaxBytes = 250_000;

it("weighs less than 250 kB compressed in every build environment", async () => {
  const temporary = await makeTemporaryDirectory();
  try {
    // Here NODE_ENV is "test".
    const directory = temporary.file("pages");
    await replacePages(directory);
    const sizes = await sizesOf(directory);
    expect(sizes.size).toBeGreaterThan(5);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(sizeMaxBytes);
  } finally {
    await temporary.remove();
  }
});

it("replaces existing pages, and nothing else", async () => {
  const temporary = await makeTemporaryDirectory();
  try {
    const directory = temporary.file("pages");
    const neighbour = temporary.file("0123456789abcdef");
    await Promise.all([mkdir(directory), mkdir(neighbour)]);
    const ofOldPages = ["index.html", "index.html.br", "old.js"];
    await Promise.all(ofOldPages.map((name) => writeFile(join(directory, name), "old")));
    await replacePages(directory);
    const names = await readdir(directory);
    expect(names).toContain("index.html.br");
    expect(names).not.toContain("old.js");

    const own = join(neighbour, "mine.txt");
    await writeFile(own, "mine");
    await expect(replacePages(neighbour)).rejects.toThrow(neighbour);
    expect(await readdir(neighbour)).toEqual(["mine.txt"]);
  } finally {
    await temporary.remove();
  }
});

it("is built into a directory named after its sources", async () => {
  const [one, other] = await Promise.all([builtPages(), builtPages()]);
  expect(one.directory).toMatch(/[\\/][0-9a-f]{16}$/);
  expect(other.directory).toBe(one.directory);
});

/** Bytes of each file in Brotli, or uncompressed where there is no Brotli file. */
async function sizesOf(directory: string): Promise<Map<string, number>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  );
  const sizes = new Map<string, number>();
  for (const path of paths) {
    if (/\.(br|gz)$/.test(path)) continue;
    const sent = paths.has(`${path}.br`) ? `${path}.br` : path;
    sizes.set(path, (await stat(sent)).size);
  }
  return sizes;
}

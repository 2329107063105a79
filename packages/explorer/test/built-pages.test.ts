import { makeTemporaryDirectory } from "@storefront/testkit";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { digestOfSources } from "../build/built-pages.ts";

let workspace: string;
let explorer: string;

async function write(path: string, text: string): Promise<void> {
  const file = join(workspace, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

beforeEach(async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  workspace = directory.path;
  explorer = join(workspace, "packages/explorer");
  const dependencies = { "@storefront/domain": "workspace:*", react: "catalog:" };
  await write("packages/explorer/package.json", JSON.stringify({ dependencies }));
  for (const name of ["index.html", "build/main.ts", "public/icon.svg", "src/main.tsx"])
    await write(`packages/explorer/${name}`, name);
  await write("pnpm-lock.yaml", "");
  await write("packages/domain/src/identifiers.ts", "");
  const links = join(explorer, "node_modules/@storefront");
  await mkdir(links, { recursive: true });
  await symlink("../../../domain", join(links, "domain"), "dir");
});

it("computes the same digest for the same sources", async () => {
  expect(await digestOfSources(explorer)).toBe(await digestOfSources(explorer));
});

it.each([
  "packages/explorer/index.html",
  "packages/explorer/src/main.tsx",
  "packages/domain/src/identifiers.ts",
  "pnpm-lock.yaml",
])("computes another digest when %s changes", async (path) => {
  const before = await digestOfSources(explorer);
  await write(path, "changed");
  expect(await digestOfSources(explorer)).not.toBe(before);
});

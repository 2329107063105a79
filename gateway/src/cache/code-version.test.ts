import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeVersion } from "./code-version.ts";

let copy = "";
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "code-"));
});
afterAll(() => rm(copy, { recursive: true }));

const repository = join(import.meta.dirname, "../../..");
const shaping = "gateway/src/records/offer.ts";

test("the version of the sources changes with a shaping function, and with nothing but code", async () => {
  for (const part of ["pnpm-lock.yaml", "gateway/src", "packages/domain/src"]) {
    await cp(join(repository, part), join(copy, part), { recursive: true });
  }
  const module = join(copy, "gateway/src/cache/code-version.ts");
  const before = codeVersion(module);
  await writeFile(join(copy, "gateway/notes.md"), "not code");
  expect(codeVersion(module)).toBe(before);
  const source = await readFile(join(copy, shaping), "utf8");
  await writeFile(join(copy, shaping), `${source}\n// Another one.\n`);
  expect(codeVersion(module)).not.toBe(before);
  await writeFile(join(copy, shaping), source);
  expect(codeVersion(module)).toBe(before);
});

test("the version of a bundle changes with a chunk", async () => {
  await writeFile(join(copy, "main.js"), "start();");
  await writeFile(join(copy, "shape-1.js"), "title(1);");
  const before = codeVersion(join(copy, "main.js"));
  await writeFile(join(copy, "shape-1.js"), "title(2);");
  expect(codeVersion(join(copy, "main.js"))).not.toBe(before);
});

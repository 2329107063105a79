import { makeTemporaryDirectory, runCli } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { readFile, writeFile } from "node:fs/promises";
import { expect, vi } from "vitest";
import { readObservations } from "./model/read-observations.ts";
import type { Observation } from "./model/read-observations.ts";

/** A small generated catalogue. */
export async function smallCatalogue(): Promise<Observation[]> {
  await using stack = new AsyncDisposableStack();
  const files = stack.adopt(await makeTemporaryDirectory(), (directory) => directory.remove());
  const catalogue = files.file("catalogue.ndjson");
  const made = ["--offers", "30", "--seed", "mirror", "--now", "2025-06-01T00:00:00Z"];
  await runCli(["generate", ...made, "--out", catalogue]);
  return await readObservations(catalogue);
}

/** Imports lines into a stack. */
export async function importLines(stack: TestStack, lines: readonly object[]): Promise<void> {
  const file = `${stack.dataDirectory}/lines.ndjson`;
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { status, stderr } = await stack.cli(["import", file]);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
}

/** The export of a stack without saved queries, which are not mirrored. */
export async function exportedLines(stack: TestStack): Promise<string[]> {
  const out = `${stack.dataDirectory}/exported.ndjson`;
  const { status, stderr } = await stack.cli(["export", "--out", out]);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const lines = (await readFile(out, "utf8")).split("\n");
  return lines.filter((line) => !line.startsWith('{"kind":"savedQuery"'));
}

/** Resolves when a stack exports the wanted lines; fails with a few differing lines. */
export async function untilExported(
  stack: TestStack,
  wanted: readonly string[],
  timeoutMs: number,
): Promise<void> {
  const isSame = async () => {
    const lines = await exportedLines(stack);
    const [there, named] = [new Set(lines), new Set(wanted)];
    expect({
      missing: wanted.filter((line) => !there.has(line)).slice(0, 5),
      more: lines.filter((line) => !named.has(line)).slice(0, 5),
    }).toEqual({ missing: [], more: [] });
    expect(lines.join("\n") === wanted.join("\n")).toBe(true);
  };
  await vi.waitFor(isSame, { timeout: timeoutMs, interval: 1000 });
}

/** Resolves when the copy's mirror has applied the snapshot. */
export async function untilMirrored(copy: TestStack): Promise<void> {
  const isMirrored = async () => {
    const state = JSON.parse(await readFile(`${copy.dataDirectory}/mirror.json`, "utf8")) as object;
    expect(state).toHaveProperty("cursor");
  };
  await vi.waitFor(isMirrored, 120_000);
}

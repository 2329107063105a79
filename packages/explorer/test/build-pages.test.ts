import { makeTemporaryDirectory } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeOtherBuilds, unfinishedName } from "../build/build-pages.ts";

const build = (digit: string) => digit.repeat(16);

it("keeps the given build, builds in progress, and other files", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const { path } = directory;
  const killed = spawn(process.execPath, ["--version"]);
  await once(killed, "exit");
  const inProgress = unfinishedName(build("b"));
  const names = [
    build("a"),
    build("b"),
    inProgress,
    `.${build("b")}-${killed.pid}`,
    "notes",
    ".x-1",
  ];
  for (const name of names) await mkdir(join(path, name, "assets"), { recursive: true });
  await removeOtherBuilds(path, build("a"));
  const left = [build("a"), inProgress, "notes", ".x-1"];
  expect(new Set(await readdir(path))).toEqual(new Set(left));
});

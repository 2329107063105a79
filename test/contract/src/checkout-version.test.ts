import { makeTemporaryDirectory } from "@storefront/testkit";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const program = resolve(import.meta.dirname, "../../../deploy/version.sh");

/** A repository whose second commit is a release, with as many commits after it. */
async function makeRepository(options: { version: string; commitsAfter: number }): Promise<string> {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const { path: cwd } = directory;
  const git = (...parameters: string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=Test", "-c", "user.email=test@localhost", ...parameters],
      {
        cwd,
        encoding: "utf8",
      },
    ).trim();
  const commit = (message: string) => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "-m", message);
  };
  git("init", "--quiet");
  for (const message of ["Begin", "Release"]) commit(message);
  mkdirSync(join(cwd, "test"));
  const write = (file: string, value: object) =>
    writeFileSync(join(cwd, file), JSON.stringify(value, null, 2));
  write("package.json", { name: "storefront", version: options.version });
  write("test/release-before.json", { version: "0.3.0", commit: git("rev-parse", "HEAD") });
  for (let count = 1; count <= options.commitsAfter; count++) commit(`Commit ${count}`);
  return cwd;
}

const versionOf = (cwd: string) => execFileSync(program, { cwd, encoding: "utf8" });

test("between releases the version counts the commits since the release", async () => {
  const repository = await makeRepository({ version: "0.3.1-dev.0", commitsAfter: 12 });
  expect(versionOf(repository)).toBe("0.3.1-dev.12\n");
});

test("the version of a release is that of package.json", async () => {
  const repository = await makeRepository({ version: "0.4.0", commitsAfter: 12 });
  expect(versionOf(repository)).toBe("0.4.0\n");
});

test("where the history does not reach the release, the number stays 0", async () => {
  const repository = await makeRepository({ version: "0.3.1-dev.0", commitsAfter: 2 });
  const clone = await makeTemporaryDirectory();
  onTestFinished(() => clone.remove());
  execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${repository}`, clone.path]);
  expect(versionOf(clone.path)).toBe("0.3.1-dev.0\n");
});

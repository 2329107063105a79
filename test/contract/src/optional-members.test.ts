import { makeTemporaryDirectory } from "@storefront/testkit";
import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Bodies without the members that have a default, and one that the types must refuse. */
const program = `
import type { paths } from "./types.js";

type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { "application/json": infer Content } } };
}
  ? Content
  : never;

export const everything: Body<"/search/v2/search"> = {};
export const saved: Body<"/search"> = { title: "moonlit", limit: 5 };
export const meant: Body<"/search/natural-language"> = { query: "a quiet harbour" };
// @ts-expect-error -- a page is a number
export const wrong: Body<"/search/v2/search"> = { page: "1" };
`;

test("members of a body that have a default are optional in types by openapi-typescript", async () => {
  const project = await makeTemporaryDirectory();
  onTestFinished(() => project.remove());
  const types = await openapiTS(new URL("../../../gateway/openapi.json", import.meta.url));
  await symlink(join(root, "node_modules"), join(project.path, "node_modules"));
  await writeFile(join(project.path, "package.json"), '{ "type": "module" }');
  await writeFile(join(project.path, "types.d.ts"), astToString(types));
  await writeFile(join(project.path, "program.ts"), program);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
  const { stdout } = await run(
    process.execPath,
    [compiler, ...options, "--types", "", "program.ts"],
    { cwd: project.path },
  ).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});

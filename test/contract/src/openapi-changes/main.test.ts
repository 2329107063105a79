import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import openApiDocument from "../../../../gateway/openapi.json" with { type: "json" };

const main = fileURLToPath(new URL("main.ts", import.meta.url));

function compareWith(before: object) {
  const { status, stdout } = spawnSync(process.execPath, [main], {
    input: JSON.stringify(before),
    encoding: "utf8",
  });
  return { status, stdout };
}

const { paths, info } = openApiDocument;
const longer = { ...openApiDocument, paths: { ...paths, "/lost": { get: { responses: {} } } } };

test("the document breaks no client of itself", () => {
  expect(compareWith(openApiDocument)).toEqual({ status: 0, stdout: "" });
});

test("a breaking change is named, and fails", () => {
  // No changeset announces a break after this one.
  const newer = { ...longer, info: { ...info, version: "9999.0.0" } };
  expect(compareWith(newer)).toEqual({ status: 1, stdout: "GET /lost: gone\n" });
});

test("a break that a new version announces is named, and passes", () => {
  const older = { ...longer, info: { ...info, version: "0.0.9" } };
  expect(compareWith(older)).toEqual({ status: 0, stdout: "GET /lost: gone\n" });
});

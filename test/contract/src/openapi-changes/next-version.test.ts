import { expect, test } from "vitest";
import { nextVersion } from "./next-version.ts";

const changeset = (...lines: string[]) =>
  ["---", ...lines, "---", "", "storefront: major"].join("\n");

test.for([
  [[], "0.2.1"],
  [['"storefront": patch'], "0.2.2"],
  [['"storefront": patch', '"@storefront/client": minor'], "0.3.0"],
  [["'storefront': major"], "1.0.0"],
  [['"@storefront/gateway": major'], "0.2.1"],
] as const)("%j turn 0.2.1 into %s", ([lines, expected]) => {
  expect(nextVersion("0.2.1", [changeset('"storefront": none'), changeset(...lines)])).toBe(
    expected,
  );
});

test.for([
  [[], "0.2.1-dev.0"],
  [['"storefront": patch'], "0.2.1"],
  [['"@storefront/client": minor'], "0.3.0"],
  [["'storefront': major"], "1.0.0"],
] as const)("%j turn 0.2.1-dev.0 into %s", ([lines, expected]) => {
  expect(nextVersion("0.2.1-dev.0", [changeset(...lines)])).toBe(expected);
});

test("a version before a minor release becomes that release", () => {
  expect(nextVersion("0.3.0-dev.0", [changeset('"storefront": minor')])).toBe("0.3.0");
  expect(nextVersion("0.3.0-dev.0", [changeset('"storefront": patch')])).toBe("0.3.0");
});

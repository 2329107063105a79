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
] as const)("%j make of 0.2.1 the version %s", ([lines, expected]) => {
  expect(nextVersion("0.2.1", [changeset('"storefront": none'), changeset(...lines)])).toBe(
    expected,
  );
});

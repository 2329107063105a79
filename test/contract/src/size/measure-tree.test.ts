import { expect, test } from "vitest";
import { measureTree } from "./measure-tree.ts";

test("a room has its lines, files, median and files that one other source file imports", () => {
  const files = [
    {
      path: "packages/a/src/index.ts",
      text: 'export * from "./b/c.ts";\n\n  \nimport "./f.ts";\n',
    },
    { path: "packages/a/src/b/c.ts", text: 'import { d } from "../d.ts";\n' },
    { path: "packages/a/src/d.ts", text: 'import "./b/c.ts";\n1;\n2;\n' },
    { path: "packages/a/src/f.ts", text: "1;\n" },
    { path: "packages/a/src/d.sql", text: "select 1;\n" },
    { path: "packages/a/src/d.test.ts", text: 'import "./d.ts";\n' },
    { path: "packages/a/test/e.ts", text: 'import "../src/d.ts";\n2;\n' },
    { path: "packages/testkit/src/index.ts", text: "1;\n" },
    { path: "vitest.config.ts", text: "1;\n" },
  ];
  const [root, a, testkit, total] = measureTree(files);
  expect(root).toMatchObject({ room: ".", sourceLines: 1, medianLines: 1 });
  expect(a).toEqual({
    room: "packages/a",
    sourceLines: 8,
    typeScriptFiles: 4,
    medianLines: 2,
    // c.ts has two importers; tests are not counted among those of d.ts.
    singleImporter: 2,
    testFiles: 2,
    testLines: 3,
  });
  expect(testkit).toMatchObject({ typeScriptFiles: 0, medianLines: undefined, testLines: 1 });
  expect(total).toMatchObject({ sourceLines: 9, typeScriptFiles: 5, testLines: 4 });
});

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { circlesOf } from "./import-circles.ts";
import { importRules, type ImportRule } from "./import-rules.ts";
import { importsOf, isTestFile, readSource, sourceFilesBelow } from "./read-imports.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const partFolders = ["gateway", ...below("services"), ...below("packages"), "deploy/bundle"];

function below(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`);
}

function ruleOf(path: string): ImportRule | undefined {
  return importRules.find((rule) => rule.folders.some((folder) => path.startsWith(`${folder}/`)));
}

/** The import's package: `@scope/name` or `name`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function violationsOf(path: string): string[] {
  const rule = ruleOf(path);
  if (rule === undefined) return [`${path}: no rule covers this folder`];
  const own = manifestOf(partOf(path)).name;
  return importsOf(readSource(join(root, path))).flatMap(({ specifier, typeOnly }) => {
    if (/^(node:|\.)/.test(specifier)) return [];
    const name = packageOf(specifier);
    if (name === own) return [];
    if (name.startsWith("@storefront/")) {
      const part = name.slice("@storefront/".length);
      const allowed =
        rule.parts.includes("*") ||
        rule.parts.includes(part) ||
        (typeOnly && rule.typeOnlyParts?.includes(part) === true);
      return allowed ? [] : [`${path}: may not import ${specifier}`];
    }
    const allowed =
      (rule.onlyPackages?.includes(name) ?? true) &&
      rule.forbiddenPackages?.includes(name) !== true;
    return allowed ? [] : [`${path}: may not import ${specifier}`];
  });
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(part: string): Manifest {
  return JSON.parse(readSource(join(root, part, "package.json"))) as Manifest;
}

function partOf(path: string): string {
  return partFolders.find((folder) => path.startsWith(`${folder}/`)) ?? path;
}

describe("who may import whom", () => {
  const sources = partFolders
    .flatMap((folder) => sourceFilesBelow(join(root, folder)))
    .map((path) => relative(root, path))
    .filter((path) => !isTestFile(path));
  const files = sources.filter((path) => ruleOf(path)?.parts.includes("*") !== true);

  it("finds the source of every part", () => {
    expect(files.length).toBeGreaterThan(50);
  });

  it("lets production code import only what its part may", () => {
    expect(files.flatMap(violationsOf)).toEqual([]);
  });

  it("keeps relative imports inside their part", () => {
    const escaping = files.flatMap((path) =>
      importsOf(readSource(join(root, path)))
        .filter(({ specifier }) => specifier.startsWith("."))
        .filter(
          ({ specifier }) =>
            partOf(relative(root, join(root, path, "..", specifier))) !== partOf(path),
        )
        .map(({ specifier }) => `${path}: ${specifier}`),
    );
    expect(escaping).toEqual([]);
  });

  it("goes one way: no file imports itself by way of others", () => {
    const imports = new Map(
      sources.map((path) => [
        path,
        importsOf(readSource(join(root, path)))
          .filter(({ specifier }) => specifier.startsWith("."))
          .map(({ specifier }) => relative(root, join(root, path, "..", specifier))),
      ]),
    );
    expect(circlesOf(imports)).toEqual([]);
  });
});

describe("who names whom as a dependency", () => {
  it("goes one way as well, for tests too", () => {
    const manifests = [...partFolders, ...below("test")].map(manifestOf);
    const named = new Map(
      manifests.map(({ name, dependencies, devDependencies }) => [
        name,
        Object.keys({ ...dependencies, ...devDependencies }),
      ]),
    );
    expect(circlesOf(named)).toEqual([]);
  });
});

describe("circles of imports", () => {
  it("are files with a way back to themselves, each circle once", () => {
    const imports = new Map([
      ["a", ["b", "c"]],
      ["b", ["c"]],
      ["c", ["d"]],
      ["d", ["b"]],
      ["e", ["e"]],
      ["f", ["a"]],
    ]);
    expect(circlesOf(imports)).toEqual([["b", "c", "d"], ["e"]]);
  });
});

describe("reading imports", () => {
  it("sees static, type-only, side-effect, re-exported and dynamic imports", () => {
    const source = [
      'import { a } from "a";',
      'import type { B } from "b";',
      'import "c";',
      'export * from "d";',
      'const e = await import("e");',
      'import {\n  f,\n  g,\n} from "f";',
    ].join("\n");
    expect(importsOf(source)).toEqual([
      { specifier: "a", typeOnly: false },
      { specifier: "b", typeOnly: true },
      { specifier: "c", typeOnly: false },
      { specifier: "d", typeOnly: false },
      { specifier: "e", typeOnly: false },
      { specifier: "f", typeOnly: false },
    ]);
  });
});

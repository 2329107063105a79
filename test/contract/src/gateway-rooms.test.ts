import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { gatewayComposition, gatewayRooms } from "./gateway-rooms.ts";
import { importsOf, isTestFile, readSource, sourceFilesBelow } from "./read-imports.ts";

const source = fileURLToPath(new URL("../../../gateway/src", import.meta.url));

const files = sourceFilesBelow(source)
  .map((path) => relative(source, path))
  .filter((path) => !isTestFile(path));

/** The folder that a file lies in; undefined for one that lies beside the folders. */
function roomOf(path: string): string | undefined {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : undefined;
}

/** Files of the gateway that a file imports, types as well. */
function importedBy(path: string): string[] {
  return importsOf(readSource(join(source, path)))
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => join(path, "..", specifier))
    .filter((imported) => !imported.startsWith(".."));
}

/** The first way from a file back to itself that is found, file by file. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const follow = (path: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of imports.get(path) ?? []) {
      const circle = follow(next, [...way, path]);
      if (circle !== undefined) return circle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of imports.keys()) {
    const circle = follow(path, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

describe("the gateway's rooms", () => {
  it("are those of the table, with only the composition beside them", () => {
    const rooms = new Set(files.map(roomOf).filter((room) => room !== undefined));
    expect([...rooms].toSorted()).toEqual(gatewayRooms.map(({ room }) => room).toSorted());
    const loose = files.filter((path) => roomOf(path) === undefined);
    expect(loose.toSorted()).toEqual([...gatewayComposition]);
  });

  it("have one direction: the table lets each import only rooms above it", () => {
    const names = gatewayRooms.map(({ room }) => room);
    const upward = gatewayRooms.flatMap(({ room, may }, index) =>
      may
        .filter((other) => !names.slice(0, index).includes(other))
        .map((other) => `${room}: ${other}`),
    );
    expect(upward).toEqual([]);
  });

  it("import what the table lets them, and nothing of the composition", () => {
    const violations = gatewayRooms.flatMap(({ room, may }) =>
      files
        .filter((path) => roomOf(path) === room)
        .flatMap((path) =>
          importedBy(path)
            .filter((imported) => ![room, ...may].includes(roomOf(imported) ?? ""))
            .map((imported) => `${path}: may not import ${imported}`),
        ),
    );
    expect(violations).toEqual([]);
  });

  it("hold no files that import each other in a circle", () => {
    expect(circleIn(new Map(files.map((path) => [path, importedBy(path)])))).toBeUndefined();
  });
});

it("finds the circle among files", () => {
  const imports = { a: ["b"], b: ["c", "d"], c: [], d: ["b"] };
  expect(circleIn(new Map(Object.entries(imports)))).toEqual(["b", "d", "b"]);
});

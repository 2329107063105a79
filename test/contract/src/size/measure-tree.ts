import { posix } from "node:path";

/** A file of the repository, with its path from the root. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** How large a room, or the whole tree, is. Lines are those that are not blank. */
export interface Size {
  readonly room: string;
  readonly sourceLines: number;
  /** Source files in TypeScript. */
  readonly typeScriptFiles: number;
  /** Median lines of those; undefined without one. */
  readonly medianLines: number | undefined;
  /** Those that exactly one other source file imports by a relative path. */
  readonly singleImporter: number;
  readonly testFiles: number;
  readonly testLines: number;
}

/** Measures each room, in the order of their names, then the total. */
export function measureTree(files: readonly SourceText[]): Size[] {
  const counted = files.map(({ path, text }) => ({
    path,
    text,
    room: roomOf(path),
    lines: text.split("\n").filter((line) => line.trim() !== "").length,
    isTest: isTestFile(path) || path.startsWith("packages/testkit/"),
    isTypeScript: /\.tsx?$/.test(path),
  }));
  const importers = importersIn(counted.filter((file) => file.isTypeScript && !file.isTest));
  const sizeOf = (room: string, inRoom: typeof counted): Size => {
    const source = inRoom.filter(({ isTest }) => !isTest);
    const tests = inRoom.filter(({ isTest }) => isTest);
    const typeScript = source.filter(({ isTypeScript }) => isTypeScript);
    const lengths = typeScript.map(({ lines }) => lines).toSorted((a, b) => a - b);
    return {
      room,
      sourceLines: sumOfLines(source),
      typeScriptFiles: typeScript.length,
      medianLines: lengths[Math.floor(lengths.length / 2)],
      singleImporter: typeScript.filter(({ path }) => importers.get(path)?.size === 1).length,
      testFiles: tests.length,
      testLines: sumOfLines(tests),
    };
  };
  const rooms = [...Map.groupBy(counted, ({ room }) => room)];
  return [
    ...rooms.map(([room, inRoom]) => sizeOf(room, inRoom)).toSorted(byRoom),
    sizeOf("total", counted),
  ];
}

/** A folder below those that hold packages, else the top-level folder; "." is the root. */
function roomOf(path: string): string {
  const [top = "", name = ""] = posix.dirname(path).split("/");
  return ["packages", "services", "test", "deploy"].includes(top) ? posix.join(top, name) : top;
}

function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /\/(test|testing)\//.test(path) || path.startsWith("test/");
}

/** Static, dynamic and re-exporting imports by a relative path. */
const relativeImport =
  /(?:\n|^)\s*(?:import|export)\s+[^;"'`]*?from\s*["'](\.[^"']+)["']|(?:\n|^)\s*import\s*["'](\.[^"']+)["']|\bimport\(\s*["'](\.[^"']+)["']/g;

/** Gives the files that import each file. */
function importersIn(files: readonly SourceText[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const [, from, alone, dynamic] of text.matchAll(relativeImport)) {
      const imported = posix.join(posix.dirname(path), from ?? alone ?? dynamic ?? "");
      importers.set(imported, (importers.get(imported) ?? new Set()).add(path));
    }
  }
  return importers;
}

function sumOfLines(files: readonly { readonly lines: number }[]): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}

function byRoom(a: Size, b: Size): number {
  return a.room < b.room ? -1 : 1;
}

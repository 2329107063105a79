import { globSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Path of an installed program, undefined when there is none; looked for in PATH, then in `places`. */
export function findProgram(name: string, places: readonly string[] = []): string | undefined {
  const directories = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...places.flatMap((place) => globSync(place).toSorted().toReversed()),
  ];
  return directories
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

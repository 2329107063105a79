/** Names of the parameters of a path, in its order. */
export function pathNamesOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap((match) => match[1] ?? []);
}

/** The values of a path's parameters by their names. */
export function pathMembersOf(
  names: readonly string[],
  values: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

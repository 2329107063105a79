/** Files that import each other, directly or by way of others, sorted; each file is in one circle at most. */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const seen = new Set<string>();
  for (const file of imports.keys()) {
    if (seen.has(file)) continue;
    const reached = reachableFrom(file, imports);
    if (!reached.has(file)) continue;
    const circle = [...reached].filter((other) => reachableFrom(other, imports).has(file));
    for (const member of circle) seen.add(member);
    circles.push(circle.toSorted());
  }
  return circles;
}

/** What a file imports, with what that imports and so on; itself only when there is a way back. */
function reachableFrom(
  file: string,
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const imported of imports.get(next) ?? []) {
      if (reached.has(imported)) continue;
      reached.add(imported);
      open.push(imported);
    }
  }
  return reached;
}

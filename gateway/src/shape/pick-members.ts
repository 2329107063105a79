/** The members of an object that have one of the names, in the object's order. */
export function pickMembers<Whole extends object>(
  whole: Whole,
  names: ReadonlySet<string>,
): Partial<Whole> {
  const picked: Partial<Whole> = {};
  for (const name in whole) if (names.has(name)) picked[name] = whole[name];
  return picked;
}

/** Each letter with what it becomes, from the letters that become the same. */
function byLetter(groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([result, letters]) =>
      Array.from(letters, (letter) => [letter, result] as const),
    ),
  );
}

/** Letters and signs beyond ASCII that Unicode does not decompose, as the server transliterates. */
const transliterations = byLetter({
  "": "⁄’‘“”–—\u{a0}",
  ae: "æÆ",
  c: "©",
  d: "đĐðÐ",
  eur: "€",
  gbp: "£",
  h: "ħĦ",
  i: "ı",
  l: "łŁ",
  o: "øØ•",
  oe: "œŒ",
  r: "®",
  ss: "ß",
  th: "þÞ",
  yen: "¥",
});

/** Lower-case Cyrillic letters as the server brings them down to ASCII where a locale says so. */
export const cyrillicLetters = byLetter({
  "": "ъь",
  a: "ая",
  b: "б",
  c: "ћцч",
  d: "дђџ",
  e: "еёєэ",
  f: "ф",
  g: "гґ",
  h: "х",
  i: "иії",
  j: "йј",
  k: "к",
  l: "лљ",
  m: "м",
  n: "нњ",
  o: "о",
  p: "п",
  r: "р",
  s: "сшщ",
  t: "т",
  u: "уўю",
  v: "в",
  y: "ы",
  z: "жз",
});

/**
 * One character (a code point) as it is indexed: lower case, Latin letters and signs brought down
 * to ASCII (`Å` a, `½` 12, `™` tm), ASCII punctuation gone. A character of another script stays as
 * it is, capitals included.
 */
export function foldCharacter(character: string): string {
  const known = transliterations.get(character);
  if (known !== undefined) return known;
  const decomposed = character
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/gu, "")
    .replaceAll("⁄", "");
  if (Array.from(decomposed).some((part) => part > "\u{7f}")) return character;
  return decomposed.toLowerCase().replace(/[^a-z0-9]/gu, "");
}

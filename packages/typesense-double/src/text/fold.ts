/** Letters and signs beyond ASCII that Unicode does not decompose, as the server transliterates. */
const transliterations: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
  ø: "o",
  Ø: "o",
  ł: "l",
  Ł: "l",
  đ: "d",
  Đ: "d",
  ð: "d",
  Ð: "d",
  þ: "th",
  Þ: "th",
  ı: "i",
  ħ: "h",
  Ħ: "h",
  "¥": "yen",
  "€": "eur",
  "£": "gbp",
  "©": "c",
  "®": "r",
  "⁄": "",
  "’": "",
  "‘": "",
  "“": "",
  "”": "",
  "–": "",
  "—": "",
  "•": "o",
  "\u{a0}": "",
};

/**
 * One character (a code point) as it is indexed: lower case, Latin letters and signs brought down
 * to ASCII (`Å` a, `½` 12, `™` tm), ASCII punctuation gone. A character of another script stays as
 * it is, capitals included.
 */
export function foldCharacter(character: string): string {
  const known = transliterations[character];
  if (known !== undefined) return known;
  const decomposed = character
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/gu, "")
    .replaceAll("⁄", "");
  if (Array.from(decomposed).some((part) => part > "\u{7f}")) return character;
  return decomposed.toLowerCase().replace(/[^a-z0-9]/gu, "");
}

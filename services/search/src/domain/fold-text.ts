/** Letters that Unicode does not decompose, but people type without their strokes. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ħ: "h",
  ŧ: "t",
};
const letterPattern = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "gu");

/** ™, ℠, ®, ©, ℗: before compatibility mapping, which makes letters of two of them. */
const marks = /[\u2122\u2120\u00ae\u00a9\u2117]/gu;

/** Accents of Latin, Greek and Cyrillic letters; the voicing marks of kana are letters' own. */
const accents = /[\u0300-\u036f]/gu;

/** Folds case, accents, width and trademark signs away: what two spellings of one name share. */
export function foldText(text: string): string {
  return text
    .replace(marks, "")
    .normalize("NFKD")
    .replace(accents, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(accents, "")
    .replace(letterPattern, (letter) => plainLetters[letter] ?? letter);
}

/** Longer words are cut: users never type them, and indexes limit them. */
const maxWordLength = 64;

/** Scripts written without spaces, where pairs of letters serve as words. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const runPattern = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const unspacedPattern = new RegExp(`^[${unspaced}]`, "u");

/** A piece of text between white space: `half-life` is one chunk of two runs. */
interface Chunk {
  /** Maximal runs of letters and digits, folded. Scripts without spaces form separate runs. */
  readonly runs: readonly string[];
}

/** The chunks of a text with any letter or digit. */
export function chunksOf(text: string): Chunk[] {
  return foldText(text)
    .split(/\s+/u)
    .map((chunk) => ({ runs: (chunk.match(runPattern) ?? []).map(cut) }))
    .filter(({ runs }) => runs.length > 0);
}

/** A run of a folded text, with its offsets in UTF-16 code units. */
export interface LocatedRun {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The runs of a folded text. */
export function locateRuns(folded: string): LocatedRun[] {
  return [...folded.matchAll(runPattern)].map(({ 0: run, index }) => ({
    word: cut(run),
    start: index,
    end: index + run.length,
  }));
}

/** Whether a run's script is written without spaces. */
export function isUnspaced(run: string): boolean {
  return unspacedPattern.test(run);
}

/** Search terms of a run without spaces: its pairs of letters, or its only letter. */
export function letterPairs(run: string): string[] {
  const letters = Array.from(run);
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`);
}

/** The runs of a text in one line: equal for texts that differ only in case, accents and punctuation. */
export function textKey(text: string): string {
  return chunksOf(text)
    .flatMap(({ runs }) => runs)
    .join(" ");
}

/**
 * Index terms of a text, without duplicates: its runs, the joined runs of each chunk (`half-life` also as
 * `halflife`), joined neighbours with `joinsNeighbours` (also `Half Life`), and letters and pairs of letters
 * of scripts without spaces.
 */
export function indexWords(text: string, { joinsNeighbours = false } = {}): string[] {
  const words = new Set<string>();
  const chunks = chunksOf(text);
  for (const { runs } of chunks) {
    for (const run of runs) addRun(words, run);
    if (runs.length > 1) words.add(cut(runs.join("")));
  }
  if (joinsNeighbours) {
    const runs = chunks.flatMap((chunk) => chunk.runs);
    for (const [index, run] of runs.slice(1).entries()) {
      const before = runs[index] ?? "";
      if (!isUnspaced(run) && !isUnspaced(before)) words.add(cut(`${before}${run}`));
    }
  }
  return [...words];
}

function addRun(words: Set<string>, run: string): void {
  if (!isUnspaced(run)) {
    words.add(run);
    return;
  }
  for (const letter of run) words.add(letter);
  for (const pair of letterPairs(run)) words.add(pair);
}

function cut(word: string): string {
  return word.length > maxWordLength ? Array.from(word).slice(0, maxWordLength).join("") : word;
}

/** Letters that Unicode does not decompose, but users type without their strokes. */
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

/** ™, ℠, ®, ©, ℗: removed before compatibility mapping, which turns two of them into letters. */
const marks = /[\u2122\u2120\u00ae\u00a9\u2117]/gu;

/** Accents of Latin, Greek and Cyrillic; the voicing marks of kana are part of the letter. */
const accents = /[\u0300-\u036f]/gu;

const isAscii = /^[\p{ASCII}]*$/u;

/** Removes case, accents, width and trademark signs, which spellings of one name may differ in. */
export function foldText(text: string): string {
  // Fast path: most names are ASCII, and one facet folds thousands of values.
  if (isAscii.test(text)) return text.toLowerCase();
  return text
    .replace(marks, "")
    .normalize("NFKD")
    .replace(accents, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(accents, "")
    .replace(letterPattern, (letter) => plainLetters[letter] ?? letter);
}

const functionWords: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be been before but by can could did do does for from
  get got had has have he her here him his how i if in into is it its just like me more my no not of off
  on one only or other our out over own she so some than that the their them then there they this those
  through to too under until up us very was we were what when where which while who why will with would
  you your yours`.split(/\s+/),
);

/** Whether a folded word is an English function word. Those of other languages are recognised by their frequency. */
export function isFunctionWord(word: string): boolean {
  return functionWords.has(word);
}

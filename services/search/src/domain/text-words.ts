import { foldText } from "./fold-text.ts";

/** Longer words are cut: nobody types them, and indexes limit them. */
const maxWordLength = 64;

/** Scripts that are written without spaces, where pairs of letters stand for words. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const runPattern = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const unspacedPattern = new RegExp(`^[${unspaced}]`, "u");

/** A piece of text between white space: `half-life` is one chunk of two runs. */
export interface Chunk {
  /** Maximal runs of letters and digits, folded. Scripts without spaces are runs of their own. */
  readonly runs: readonly string[];
}

/** The chunks of a text that have any letter or digit. */
export function chunksOf(text: string): Chunk[] {
  return foldText(text)
    .split(/\s+/u)
    .map((chunk) => ({ runs: (chunk.match(runPattern) ?? []).map(cut) }))
    .filter(({ runs }) => runs.length > 0);
}

/** Whether a run is of a script that is written without spaces. */
export function isUnspaced(run: string): boolean {
  return unspacedPattern.test(run);
}

/** What a run of a script without spaces is found by: its pairs of letters; its letter, if it is one. */
export function letterPairs(run: string): string[] {
  const letters = Array.from(run);
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`);
}

/** A text as one line of its runs: equal for texts that differ in case, accents and punctuation only. */
export function textKey(text: string): string {
  return chunksOf(text)
    .flatMap(({ runs }) => runs)
    .join(" ");
}

/**
 * Words that a text is found by, each once: its runs, the runs of each chunk joined (`half-life` also
 * as `halflife`), neighbours joined when `joinsNeighbours` (`Half Life`, too), letters and pairs of
 * letters of scripts without spaces.
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

import type { TextRange } from "./highlights.ts";
import { foldText, isUnspaced, locateRuns } from "./text-words.ts";
import type { LocatedRun } from "./text-words.ts";
import type { SearchChunk } from "../engine/text-match.ts";

/** Words to mark: those of any alternative of a query. */
interface MarkedWords {
  readonly whole: ReadonlySet<string>;
  readonly begun: readonly string[];
}

export function markedWords(chunks: readonly SearchChunk[]): MarkedWords {
  const words = chunks.flat(3);
  return {
    whole: new Set(words.map(({ word }) => word)),
    begun: words.flatMap(({ word, isPrefix }) => (isPrefix ? [word] : [])),
  };
}

/** Limit in UTF-16 code units: descriptions have a sentence or two. */
const maxLength = 5_000;

/**
 * Ranges of a text's beginning that match the query: whole words, even for a typed prefix. Words that are indexed
 * joined but written apart (`halflife` for `Half-Life`) are one match, unless one of them matches alone.
 *
 * @param joinsNeighbours as in `indexWords`
 */
export function findMatches(
  text: string,
  marked: MarkedWords,
  { joinsNeighbours = false } = {},
): TextRange[] {
  const found: TextRange[] = [];
  let unmatched: { start: number; word: string } | undefined;
  for (const { 0: part, index } of text.slice(0, maxLength).matchAll(/\S+/gu)) {
    const chunk = new LocatedChunk(part, index);
    const { runs } = chunk;
    const before = found.length;
    for (const run of runs) {
      const matches = matchesInRun(run, marked);
      found.push(...matches.map((range) => chunk.originalRange(range)));
      const isJoinable = joinsNeighbours && matches.length === 0 && !isUnspaced(run.word);
      if (isJoinable && unmatched !== undefined && isMarked(unmatched.word + run.word, marked)) {
        found.push({ start: unmatched.start, end: chunk.originalRange(run).end });
      }
      unmatched = isJoinable
        ? { start: chunk.originalRange(run).start, word: run.word }
        : undefined;
    }
    const [first, ...others] = runs;
    const last = others.at(-1);
    if (first === undefined || last === undefined || found.length > before) continue;
    if (isMarked(runs.map(({ word }) => word).join(""), marked)) {
      found.push(chunk.originalRange({ start: first.start, end: last.end }));
    }
  }
  return merged(found);
}

function isMarked(word: string, { whole, begun }: MarkedWords): boolean {
  return whole.has(word) || begun.some((beginning) => word.startsWith(beginning));
}

/** Ranges within the folded chunk. */
function matchesInRun({ word, start, end }: LocatedRun, marked: MarkedWords): TextRange[] {
  if (!isUnspaced(word)) return isMarked(word, marked) ? [{ start, end }] : [];
  const found: TextRange[] = [];
  const letters = Array.from(word);
  let at = start;
  for (const [index, letter] of letters.entries()) {
    for (const part of [letter, letter + (letters[index + 1] ?? "")]) {
      if (marked.whole.has(part)) found.push({ start: at, end: at + part.length });
    }
    at += letter.length;
  }
  return found;
}

function merged(ranges: readonly TextRange[]): TextRange[] {
  const union: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((left, right) => left.start - right.start)) {
    const last = union.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else union.push({ start, end });
  }
  return union;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A part of a text between white space, with its folded runs. */
class LocatedChunk {
  readonly runs: readonly LocatedRun[];
  readonly #chunk: string;
  readonly #folded: string;
  readonly #start: number;
  /** Whether folding changed only case, so that offsets are equal. */
  readonly #isAligned: boolean;
  #sources: readonly TextRange[] | undefined;

  /** @param start its offset in the text */
  constructor(chunk: string, start: number) {
    this.#chunk = chunk;
    this.#start = start;
    this.#folded = foldText(chunk);
    this.#isAligned = this.#folded === chunk.toLowerCase();
    this.runs = locateRuns(this.#folded);
  }

  /** A range of the folded chunk in the original text; the whole chunk where graphemes do not fold one by one. */
  originalRange({ start, end }: TextRange): TextRange {
    if (this.#isAligned) return { start: this.#start + start, end: this.#start + end };
    this.#sources ??= sourcesOf(this.#chunk, this.#folded);
    return {
      start: this.#start + (this.#sources[start]?.start ?? 0),
      end: this.#start + (this.#sources[end - 1]?.end ?? this.#chunk.length),
    };
  }
}

/** The original grapheme of each code unit of a folded chunk; empty if they do not fold one by one. */
function sourcesOf(chunk: string, folded: string): TextRange[] {
  const sources: TextRange[] = [];
  for (const { segment, index } of graphemes.segment(chunk)) {
    const source = { start: index, end: index + segment.length };
    for (let unit = foldText(segment).length; unit > 0; unit--) sources.push(source);
  }
  return sources.length === folded.length ? sources : [];
}

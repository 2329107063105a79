import type { SearchChunk, SearchWord } from "../../text-match.ts";
import { Turns } from "../turns.ts";
import { postingsPerTurn } from "./posting-lists.ts";
import type { WordColumns } from "./word-columns.ts";

/** Alternative words, by number, for one word of a text. */
interface WordGroup {
  /** As typed, or corrected. */
  readonly whole: readonly number[];
  /** Words with the typed prefix. */
  readonly begun: readonly number[];
  /** Total postings. */
  readonly size: number;
}

/** Alternatives of required groups, smallest first. */
type GroupedChunk = readonly (readonly WordGroup[])[];

/**
 * The words of a text's chunks, rarest chunk first, since it excludes the most.
 *
 * @returns undefined when a chunk has no postings, which detects most misspelt words
 */
function groupWords(
  columns: WordColumns,
  chunks: readonly SearchChunk[],
): GroupedChunk[] | undefined {
  // Repeated chunks are looked up once.
  const unique = new Map(chunks.map((chunk) => [JSON.stringify(chunk), chunk]));
  const grouped: GroupedChunk[] = [];
  for (const alternatives of unique.values()) {
    const possible = alternatives
      .map((words) => words.map((spellings) => groupOf(columns, spellings)).toSorted(bySize))
      .filter(([smallest]) => smallest !== undefined && smallest.size > 0);
    if (possible.length === 0) return undefined;
    grouped.push(possible);
  }
  return grouped.toSorted((left, right) => mostOf(left) - mostOf(right));
}

function groupOf({ words, lists }: WordColumns, spellings: readonly SearchWord[]): WordGroup {
  const whole = spellings.map(({ word }) => words.numberOf(word));
  const begun = spellings.flatMap(({ word, isPrefix }) =>
    isPrefix ? words.beginningWith(word) : [],
  );
  let size = 0;
  for (const numbers of [whole, begun]) {
    for (const number of numbers) size += lists.countOf(number);
  }
  return { whole, begun, size };
}

function bySize(left: WordGroup, right: WordGroup): number {
  return left.size - right.size;
}

/** Upper bound of a chunk's postings. */
function mostOf(chunk: GroupedChunk): number {
  return chunk.reduce((sum, [smallest]) => sum + (smallest?.size ?? 0), 0);
}

/** All words are in the title, some only as a prefix. */
export const titleRank = 4;

/** All words are in the title, as whole words. */
export const wholeTitleRank = 5;

/** Ranks by place for prefixes: description, tags, makers, title. */
const begunRanks = Uint8Array.of(1, 2, 3, titleRank);
const wholeRanks = Uint8Array.of(1, 2, 3, wholeTitleRank);

/** Slots with all words. */
interface MatchingSlots {
  readonly slots: Uint32Array;
  /** The rank of the worst word, each at its best place. */
  readonly ranks: Uint8Array;
}

const none: MatchingSlots = { slots: new Uint32Array(), ranks: new Uint8Array() };

/**
 * The slots with all chunks of a text. Call under the columns' lock: the search yields, and a rewritten offer moves to
 * another slot, where only half of its words would be seen.
 */
export async function matchingSlots(
  columns: WordColumns,
  chunks: readonly SearchChunk[],
): Promise<MatchingSlots> {
  const grouped = groupWords(columns, chunks);
  if (grouped === undefined) return none;
  const matching = new Matching(columns);
  let found: MatchingSlots | undefined;
  for (const chunk of grouped) {
    found = await matching.matchAny(chunk, found);
    if (found.slots.length === 0) return none;
  }
  return found ?? none;
}

/** Looks up groups of words. */
class Matching {
  readonly #columns: WordColumns;
  /** By slot; reused for each group. */
  readonly #ranks: Uint8Array;
  readonly #turns = new Turns(postingsPerTurn);

  constructor(columns: WordColumns) {
    this.#columns = columns;
    this.#ranks = new Uint8Array(columns.slotsEnd);
  }

  /** @param among limits the slots and their ranks; default all */
  async matchAny(
    alternatives: GroupedChunk,
    among: MatchingSlots | undefined,
  ): Promise<MatchingSlots> {
    const parts: MatchingSlots[] = [];
    for (const groups of alternatives) parts.push(await this.#matchAll(groups, among));
    const [first = none, ...others] = parts;
    if (others.length === 0) return first;
    this.#ranks.fill(0);
    for (const part of parts) raise(this.#ranks, part);
    const most = parts.reduce((sum, { slots }) => sum + slots.length, 0);
    return ranked(this.#ranks, most);
  }

  async #matchAll(
    groups: readonly WordGroup[],
    among: MatchingSlots | undefined,
  ): Promise<MatchingSlots> {
    let found = among;
    for (const group of groups) {
      found = await this.#matchGroup(group, found);
      if (found.slots.length === 0) return none;
    }
    return found ?? none;
  }

  async #matchGroup(
    { whole, begun, size }: WordGroup,
    among: MatchingSlots | undefined,
  ): Promise<MatchingSlots> {
    this.#ranks.fill(0);
    await this.#mark(begun, begunRanks);
    await this.#mark(whole, wholeRanks);
    await this.#turns.after(among?.slots.length ?? this.#ranks.length);
    return among === undefined ? ranked(this.#ranks, size) : lowered(among, this.#ranks);
  }

  async #mark(words: readonly number[], rankOfPlace: Uint8Array): Promise<void> {
    const { lists } = this.#columns;
    for (const word of words) {
      lists.mark(word, rankOfPlace, this.#ranks);
      const turn = this.#turns.after(lists.countOf(word));
      // Avoids an await for each of the thousands of words with a prefix.
      if (turn !== undefined) await turn;
    }
  }
}

/**
 * The slots with a rank.
 *
 * @param most upper bound of their number
 */
function ranked(ranks: Uint8Array, most: number): MatchingSlots {
  const slots = new Uint32Array(Math.min(most, ranks.length));
  let count = 0;
  for (let slot = 0; slot < ranks.length; slot++) if (ranks[slot] !== 0) slots[count++] = slot;
  const found = slots.subarray(0, count);
  const foundRanks = new Uint8Array(count);
  // `from` takes ten times as long.
  for (let index = 0; index < count; index++)
    foundRanks[index] = ranks[found[index] as number] as number;
  return { slots: found, ranks: foundRanks };
}

/** Those of some slots that have a rank; the lower of both ranks. */
function lowered(among: MatchingSlots, ranks: Uint8Array): MatchingSlots {
  const slots = new Uint32Array(among.slots.length);
  const worse = new Uint8Array(among.slots.length);
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = among.slots[index] as number;
    const rank = ranks[slot] as number;
    if (rank === 0) continue;
    slots[count] = slot;
    worse[count++] = Math.min(rank, among.ranks[index] as number);
  }
  return { slots: slots.subarray(0, count), ranks: worse.subarray(0, count) };
}

function raise(ranks: Uint8Array, { slots, ranks: others }: MatchingSlots): void {
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    if ((others[index] as number) > (ranks[slot] as number)) ranks[slot] = others[index] as number;
  }
}

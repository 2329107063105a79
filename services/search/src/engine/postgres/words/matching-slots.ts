import type { WantedChunk, WantedWord } from "../../text-match.ts";
import { Turns } from "../turns.ts";
import { postingsAtOnce } from "./posting-lists.ts";
import type { WordColumns } from "./word-columns.ts";

/** The words, by number, any of which will do in one place of a text. */
interface WordGroup {
  /** As they were typed, or corrected. */
  readonly whole: readonly number[];
  /** Those that begin as was typed. */
  readonly begun: readonly number[];
  /** Postings of all of them. */
  readonly size: number;
}

/** Groups that have to be there all, in any of the alternatives; the smaller ones come first. */
type GroupedChunk = readonly (readonly WordGroup[])[];

/**
 * The words that chunks of a text ask for. Those chunks come first that are found in the fewest places: what
 * is there cuts off the most of what others have to be looked for in.
 *
 * @returns undefined when one of them is nowhere: most misspelt words are told by that alone.
 */
function groupWords(
  columns: WordColumns,
  chunks: readonly WantedChunk[],
): GroupedChunk[] | undefined {
  // What is asked for again and again is looked up once.
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

function groupOf({ words, lists }: WordColumns, spellings: readonly WantedWord[]): WordGroup {
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

/** Most places that a chunk may be found in. */
function mostOf(chunk: GroupedChunk): number {
  return chunk.reduce((sum, [smallest]) => sum + (smallest?.size ?? 0), 0);
}

/** Of all that is wanted the worst placed stands in the title, if only some of it begins so. */
export const titleRank = 4;

/** All that is wanted stands in the title, as whole words. */
export const wholeTitleRank = 5;

/** What places count as, for words that begin as was typed: the description, tags, makers, the title. */
const begunRanks = Uint8Array.of(1, 2, 3, titleRank);
const wholeRanks = Uint8Array.of(1, 2, 3, wholeTitleRank);

/** Where all that is wanted stands. */
interface MatchingSlots {
  readonly slots: Uint32Array;
  /** Of each, the rank of the worst placed of what has to be there, each where it stands best. */
  readonly ranks: Uint8Array;
}

/** Nowhere. */
const none: MatchingSlots = { slots: new Uint32Array(), ranks: new Uint8Array() };

/**
 * The slots in which all chunks of a text stand. To be found under the lock of the columns: others have their
 * turn meanwhile, and an offer that is written again takes another slot, where half of its words would be seen.
 */
export async function matchingSlots(
  columns: WordColumns,
  chunks: readonly WantedChunk[],
): Promise<MatchingSlots> {
  const grouped = groupWords(columns, chunks);
  if (grouped === undefined) return none;
  const matching = new Matching(columns);
  let found: MatchingSlots | undefined;
  for (const chunk of grouped) {
    found = await matching.ofAny(chunk, found);
    if (found.slots.length === 0) return none;
  }
  return found ?? none;
}

/** Looks groups of words up, one after the other. */
class Matching {
  readonly #columns: WordColumns;
  /** By slot; of one group at a time. */
  readonly #ranks: Uint8Array;
  readonly #turns = new Turns(postingsAtOnce);

  constructor(columns: WordColumns) {
    this.#columns = columns;
    this.#ranks = new Uint8Array(columns.slotsEnd);
  }

  /** @param among what is found lies in these, and is not ranked higher; default in all */
  async ofAny(
    alternatives: GroupedChunk,
    among: MatchingSlots | undefined,
  ): Promise<MatchingSlots> {
    const parts: MatchingSlots[] = [];
    for (const groups of alternatives) parts.push(await this.#ofAll(groups, among));
    const [first = none, ...others] = parts;
    if (others.length === 0) return first;
    this.#ranks.fill(0);
    for (const part of parts) raise(this.#ranks, part);
    const most = parts.reduce((sum, { slots }) => sum + slots.length, 0);
    return ranked(this.#ranks, most);
  }

  async #ofAll(
    groups: readonly WordGroup[],
    among: MatchingSlots | undefined,
  ): Promise<MatchingSlots> {
    let found = among;
    for (const group of groups) {
      found = await this.#ofGroup(group, found);
      if (found.slots.length === 0) return none;
    }
    return found ?? none;
  }

  async #ofGroup(
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
      // Of the thousands of words that begin with a letter few end a turn.
      if (turn !== undefined) await turn;
    }
  }
}

/**
 * The slots that have a rank.
 *
 * @param most there are no more of them
 */
function ranked(ranks: Uint8Array, most: number): MatchingSlots {
  const slots = new Uint32Array(Math.min(most, ranks.length));
  let count = 0;
  for (let slot = 0; slot < ranks.length; slot++) if (ranks[slot] !== 0) slots[count++] = slot;
  const found = slots.subarray(0, count);
  const ofFound = new Uint8Array(count);
  // `from` would take ten times as long.
  for (let index = 0; index < count; index++)
    ofFound[index] = ranks[found[index] as number] as number;
  return { slots: found, ranks: ofFound };
}

/** Those of some slots that have a rank, which is the worse of two. */
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

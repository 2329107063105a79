import { expect, it } from "vitest";
import { PostingLists } from "./posting-lists.ts";
import type { PlaceRank } from "./posting-lists.ts";

const rankOfPlace = Uint8Array.of(1, 2, 3, 4);

it("stores lists of any length, and removes postings, at any of their blocks' ends", () => {
  const lists = new PostingLists();
  const slots = 9_000;
  // Interleaved growth mixes their blocks; two lists are as long as all others.
  const lengths = [0, 1, 2, 3, 6, 7, 1_022, 1_023, 2_046, 2_047, 2_048, 8_999];
  const rankOf = (word: number, slot: number) => (((word + slot) % 4) + 1) as PlaceRank;
  for (let slot = 0; slot < slots; slot++) {
    for (const [word, length] of lengths.entries()) {
      if (slot < length) lists.add(word, slot, rankOf(word, slot));
    }
  }
  const marked = (word: number) => {
    const ranks = new Uint8Array(slots);
    lists.mark(word, rankOfPlace, ranks);
    return [...ranks];
  };
  const expected = (word: number, length: number, isThere: (slot: number) => boolean) =>
    Array.from({ length: slots }, (_, slot) =>
      slot < length && isThere(slot) ? rankOf(word, slot) : 0,
    );
  for (const [word, length] of lengths.entries()) {
    expect(marked(word)).toEqual(expected(word, length, () => true));
  }
  const isGone = Uint8Array.from({ length: slots }, (_, slot) => (slot % 3 === 1 ? 1 : 0));
  const sizeBefore = lists.sizeBytes;
  for (const [word, length] of lengths.entries()) {
    expect(lists.sweep(word, isGone)).toBe(length);
    expect(marked(word)).toEqual(expected(word, length, (slot) => isGone[slot] === 0));
    for (let slot = 1; slot < length; slot += 3) lists.add(word, slot, rankOf(word, slot));
    expect(marked(word)).toEqual(expected(word, length, () => true));
  }
  expect(lists.sizeBytes).toBe(sizeBefore);
});

it("uses the best place of two words, and of a repeated word", () => {
  const lists = new PostingLists();
  lists.add(1, 5, 2);
  lists.add(2, 5, 4);
  lists.add(3, 5, 1);
  const ranks = new Uint8Array(6);
  for (const word of [1, 2, 3, 1]) lists.mark(word, rankOfPlace, ranks);
  expect([...ranks]).toEqual([0, 0, 0, 0, 0, 4]);
});

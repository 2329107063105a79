import { typeRank, typeRanks } from "../../../domain/offer-order.ts";
import { indexWords, textKey } from "../../../domain/text-words.ts";
import type { OfferDocument } from "../../index-documents.ts";
import type { SearchChunk, SearchWord } from "../../text-match.ts";
import type { PlaceRank } from "./posting-lists.ts";

/** The place of a word in an offer, as PostgreSQL's weights. */
type Weight = "A" | "B" | "C" | "D";

/** The words of an offer for text searches. */
interface OfferWords {
  /** The title, folded. */
  readonly titleKey: string;
  /** As a `tsvector`: title A, developer and publisher B, tags C, description D; and the type's rank. */
  readonly vector: string;
  readonly words: readonly string[];
}

/** Positions are unused, but each weight requires one. */
const positionOf: Readonly<Record<Weight, number>> = { A: 1, B: 2, C: 3, D: 4 };

export function offerWords(document: OfferDocument): OfferWords {
  const weights = new Map<string, Set<Weight>>();
  const room = new Room();
  const add = (weight: Weight, words: readonly string[]) => {
    for (const word of words) {
      const known = weights.get(word);
      if (known !== undefined) known.add(weight);
      else if (room.takes(word)) weights.set(word, new Set([weight]));
    }
  };
  const title = document.title ?? "";
  add("A", indexWords(title, { joinsNeighbours: true }));
  for (const name of [document.developer, document.publisher]) add("B", indexWords(name ?? ""));
  for (const name of document.tagNames) add("C", indexWords(name));
  add("D", indexWords(document.description ?? ""));
  const lexemes = [...weights].map(
    ([word, places]) =>
      `'${word}':${[...places].map((weight) => `${positionOf[weight]}${weight}`).join(",")}`,
  );
  const rank = typeRank(document.offerType);
  if (rank > 0) lexemes.push(rankLexeme(rank));
  return { titleKey: textKey(title), vector: lexemes.join(" "), words: [...weights.keys()] };
}

/** No word contains the sign. */
const rankLexeme = (rank: number) => `'#${rank}'`;

/** SQL for the rank of an offer's type, by a column `words`. */
export const typeRankSql = `case ${typeRanks
  .map((rank) => `when words @@ $$${rankLexeme(rank)}$$::tsquery then ${rank}`)
  .join(" ")} else 0 end`;

/** A text's words as a `tsvector`. Words have only letters and digits, so nothing needs escaping. */
export function plainVector(text: string): string {
  const room = new Room();
  return indexWords(text)
    .filter((word) => room.takes(word))
    .map((word) => `'${word}'`)
    .join(" ");
}

/**
 * A `tsquery` of chunks. Words have only letters and digits, so nothing needs escaping.
 *
 * @param weights of the places to search; default all
 * @param isWhole ignores prefixes; default false
 */
export function tsquery(
  chunks: readonly SearchChunk[],
  { weights = "", isWhole = false }: { weights?: string; isWhole?: boolean } = {},
): string {
  const lexeme = ({ word, isPrefix }: SearchWord) => {
    const marks = `${isPrefix && !isWhole ? "*" : ""}${weights}`;
    return marks === "" ? `'${word}'` : `'${word}':${marks}`;
  };
  return chunks
    .map((alternatives) => {
      const joined = alternatives.map((words) =>
        words.map((spellings) => `(${spellings.map(lexeme).join(" | ")})`).join(" & "),
      );
      return `(${joined.map((alternative) => `(${alternative})`).join(" | ")})`;
    })
    .join(" & ");
}

/** A `tsvector` has at most 1 MiB; further words are left out rather than the offer refused. */
class Room {
  #bytes = 900_000;

  takes(word: string): boolean {
    // Besides its bytes a word has its length and up to four positions.
    this.#bytes -= Buffer.byteLength(word) + 16;
    return this.#bytes >= 0;
  }
}

const colon = ":".charCodeAt(0);
const space = " ".charCodeAt(0);
const letterA = "A".charCodeAt(0);
const letterC = "C".charCodeAt(0);
const sign = "#".charCodeAt(0);

/**
 * Reads PostgreSQL's text form of a `tsvector`, `'word':1A,4 'other':3C`: the range of each word and the rank of its
 * best place. Words have only letters and digits, so nothing is escaped.
 *
 * @returns the rank of the offer's type, from the lexeme with a sign
 */
export function eachWord(
  vector: string,
  use: (from: number, to: number, rank: PlaceRank) => void,
): number {
  const end = vector.length;
  let offerRank = 0;
  for (let at = 0; at < end; at++) {
    const from = at + 1;
    const to = vector.indexOf("'", from);
    at = to + 1;
    let rank: PlaceRank = 1;
    if (vector.charCodeAt(at) === colon) {
      for (; at < end; at++) {
        const code = vector.charCodeAt(at);
        if (code === space) break;
        // A is 4, B is 3, C is 2; D is not written.
        if (code >= letterA && code <= letterC) rank = better(rank, letterA + 4 - code);
      }
    }
    if (vector.charCodeAt(from) === sign) offerRank = Number(vector.slice(from + 1, to));
    else use(from, to, rank);
  }
  return offerRank;
}

function better(rank: PlaceRank, other: number): PlaceRank {
  return other > rank ? (other as PlaceRank) : rank;
}

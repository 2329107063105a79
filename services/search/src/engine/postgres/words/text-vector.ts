import { indexWords, textKey } from "../../../domain/text-words.ts";
import { typeRank, typeRanks } from "../../../domain/offer-order.ts";
import type { OfferDocument } from "../../index-documents.ts";

/** Where a word of an offer stands; the letters are PostgreSQL's weights. */
export type Weight = "A" | "B" | "C" | "D";

/** What a text search reads of an offer. */
export interface OfferWords {
  /** The title, folded. */
  readonly titleKey: string;
  /** As a `tsvector`: title A, developer and publisher B, tags C, description D; and the type's rank. */
  readonly vector: string;
  /** All of them. */
  readonly words: readonly string[];
}

/** Positions say nothing here, but every weight needs one. */
const positionOf: Readonly<Record<Weight, number>> = { A: 1, B: 2, C: 3, D: 4 };

/** The words of an offer, and where each stands. */
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

/** No word has its sign. It stands among the words because tables of 0.2.0 have no column for it. */
const rankLexeme = (rank: number) => `'#${rank}'`;

/** SQL for the rank of an offer's type, by a column `words`. */
export const typeRankSql = `case ${typeRanks
  .map((rank) => `when words @@ $$${rankLexeme(rank)}$$::tsquery then ${rank}`)
  .join(" ")} else 0 end`;

/** A text's words as a `tsvector`. Words are letters and digits only, so that nothing needs escaping. */
export function plainVector(text: string): string {
  const room = new Room();
  return indexWords(text)
    .filter((word) => room.takes(word))
    .map((word) => `'${word}'`)
    .join(" ");
}

/** A `tsvector` has at most 1 MiB; words beyond are left out, rather than the offer refused. */
class Room {
  #bytes = 900_000;

  takes(word: string): boolean {
    // Beside its bytes a word has its length and up to four positions.
    this.#bytes -= Buffer.byteLength(word) + 16;
    return this.#bytes >= 0;
  }
}

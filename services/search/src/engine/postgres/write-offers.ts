import { bulkUpsert } from "@storefront/database";
import type { Column, Transaction } from "@storefront/database";
import type { OfferDocument } from "../index-documents.ts";
import { tablesOf } from "./tables.ts";
import { termKey, termsOf } from "./terms.ts";
import type { Term } from "./terms.ts";
import type { TermNumbers } from "./term-numbers.ts";
import { offerWords } from "./text-vector.ts";

const offerColumns: readonly Column[] = [
  { name: "number", type: "int" },
  { name: "offer_id", type: "text" },
  { name: "terms", type: "int[]" },
  { name: "facets", type: "int[]" },
  { name: "tag_ids", type: "int[]" },
  { name: "release_date", type: "int8" },
  { name: "last_modified_date", type: "int8" },
  { name: "effective_date", type: "int8" },
  { name: "creation_date", type: "int8" },
  { name: "viewable_date", type: "int8" },
  { name: "pc_release_date", type: "int8" },
  { name: "has_giveaway", type: "boolean" },
  { name: "first_giveaway_start", type: "int8" },
  { name: "latest_giveaway_end", type: "int8" },
];

const textColumns: readonly Column[] = [
  { name: "number", type: "int" },
  { name: "title_key", type: "text" },
  { name: "words", type: "tsvector" },
];

/** Stores the rows of offers in a generation. */
export async function writeOffers(
  tx: Transaction,
  terms: TermNumbers,
  writes: {
    generation: number;
    offers: readonly OfferDocument[];
    numbers: ReadonlyMap<string, number>;
  },
): Promise<void> {
  const { generation, offers, numbers } = writes;
  if (offers.length === 0) return;
  const described = offers.map((document) => ({
    document,
    number: numbers.get(document.offerId),
    words: offerWords(document),
    ...termsOf(document),
  }));
  const termNumbers = await terms.numbersFor(
    tx,
    described.flatMap(({ filters, facets }) => [...filters, ...facets]),
  );
  const numbersOf = (list: readonly Term[]) => list.map((term) => termNumbers.get(termKey(term)));
  const tables = tablesOf(generation);
  await bulkUpsert(
    tx,
    { table: tables.offer, keyColumns: ["number"], columns: offerColumns },
    described.map(({ document, number, filters, facets, tags }) => ({
      number,
      offer_id: document.offerId,
      terms: numbersOf(filters),
      facets: numbersOf(facets),
      tag_ids: numbersOf(tags),
      release_date: document.releaseDateMs,
      last_modified_date: document.lastModifiedDateMs,
      effective_date: document.effectiveDateMs,
      creation_date: document.creationDateMs,
      viewable_date: document.viewableDateMs,
      pc_release_date: document.pcReleaseDateMs,
      has_giveaway: document.hasGiveaway,
      first_giveaway_start: document.firstGiveawayStartMs,
      latest_giveaway_end: document.latestGiveawayEndMs,
    })),
  );
  await bulkUpsert(
    tx,
    { table: tables.text, keyColumns: ["number"], columns: textColumns, leavesSame: true },
    described.map(({ number, words }) => ({
      number,
      title_key: words.titleKey,
      words: words.vector,
    })),
  );
  await storeWords(tx, [...new Set(described.flatMap(({ words }) => words.words))]);
}

async function storeWords(tx: Transaction, words: readonly string[]): Promise<void> {
  // What is there is not inserted again: a refused insertion would use up a number.
  await tx.write(
    `insert into search.word (word)
      select word from unnest($1::text[]) as wanted(word)
      where not exists (select from search.word where word.word = wanted.word)
      on conflict (word) do nothing`,
    [words],
  );
}

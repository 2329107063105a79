import { bulkUpsert } from "@storefront/database";
import type { Column, Queryable, Transaction } from "@storefront/database";
import { filterFields, flagsOf, indexedCounts, termsOf } from "../../domain/offer-terms.ts";
import type { Term } from "../../domain/offer-terms.ts";
import { integerColumns } from "../../domain/column-names.ts";
import type { OfferDocument } from "../index-documents.ts";
import { tablesOf } from "./tables.ts";
import { termKey } from "./term-numbers.ts";
import type { TermNumbers } from "./term-numbers.ts";
import { offerWords } from "./words/text-vector.ts";

const plainColumns: readonly Column[] = [
  { name: "number", type: "int" },
  { name: "offer_id", type: "text" },
  { name: "terms", type: "int[]" },
  { name: "facets", type: "int[]" },
  { name: "tag_ids", type: "int[]" },
  { name: "has_giveaway", type: "boolean" },
];

const textColumns: readonly Column[] = [
  { name: "number", type: "int" },
  { name: "title_key", type: "text" },
  { name: "words", type: "tsvector" },
];

/** Stores offers in a generation. */
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
    filters: distinct([...termsOf(document, filterFields), ...flagsOf(document)]),
    facets: distinct(termsOf(document, indexedCounts)),
  }));
  const termNumbers = await terms.numbersFor(
    tx,
    described.flatMap(({ filters, facets }) => [...filters, ...facets]),
  );
  const numbersOf = (list: readonly Term[]) => list.map((term) => termNumbers.get(termKey(term)));
  const integersOf = (document: OfferDocument) =>
    Object.fromEntries([...integerColumns].map(([name, column]) => [column, document[name]]));
  const tables = tablesOf(generation);
  const integers = [...(await presentColumns(tx, tables.offer, integerColumns.values()))];
  const columns = [...plainColumns, ...integers.map((name) => ({ name, type: "int8" }))];
  await bulkUpsert(
    tx,
    { table: tables.offer, keyColumns: ["number"], columns },
    described.map(({ document, number, filters, facets }) => ({
      number,
      offer_id: document.offerId,
      terms: numbersOf(filters),
      facets: numbersOf(facets),
      tag_ids: numbersOf(filters.filter(({ kind }) => kind === "tag")),
      has_giveaway: document.hasGiveaway,
      ...integersOf(document),
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

/** Terms without duplicates and blank values, which no query requests. */
function distinct(terms: readonly Term[]): Term[] {
  const byKey = new Map(terms.map((term) => [termKey(term), term]));
  return [...byKey.values()].filter(({ value }) => value !== "");
}

async function storeWords(tx: Transaction, words: readonly string[]): Promise<void> {
  // Existing words are excluded, since a conflicting insert would use up a number.
  await tx.write(
    `insert into search.word (word)
      select word from unnest($1::text[]) as wanted(word)
      where not exists (select from search.word where word.word = wanted.word)
      on conflict (word) do nothing`,
    [words],
  );
}

/**
 * The existing ones of some columns. An earlier release's index lacks later fields; it serves, and is written, until a
 * new index is built.
 */
export async function presentColumns(
  queryable: Queryable,
  table: string,
  columns: Iterable<string>,
): Promise<Set<string>> {
  const rows = await queryable.read<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = $1::regclass and attname = any($2::text[]) and not attisdropped`,
    [table, [...columns]],
  );
  return new Set(rows.map(({ name }) => name));
}

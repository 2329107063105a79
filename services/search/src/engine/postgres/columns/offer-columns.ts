import type { Queryable } from "@storefront/database";
import type { IntegerName } from "../../../domain/offer-fields.ts";
import { integerColumns } from "../../../domain/column-names.ts";
import { presentColumns } from "../write-offers.ts";
import { grown, PackedLists, TermLists } from "./packed-lists.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

// As many bytes as a double represents exactly.
const prefixLength = 6;

/** Ids of offers by number, as bytes: half a million strings would be as many objects. */
class OfferIds {
  readonly #ids = new PackedLists(new Uint8Array());
  /** The first bytes of each, enough to order nearly all. */
  #prefixes = new Float64Array();

  /** Memory in bytes. */
  get sizeBytes(): number {
    return this.#ids.sizeBytes + this.#prefixes.byteLength;
  }

  /** The id of a number never changes. */
  add(number: number, offerId: string): void {
    if (this.#bytesOf(number).length !== 0) return;
    const bytes = Buffer.from(offerId);
    this.#ids.set(number, bytes);
    this.#prefixes = grown(this.#prefixes, number + 1);
    this.#prefixes[number] = prefixOf(bytes);
  }

  get(number: number): string {
    return Buffer.from(this.#bytesOf(number)).toString();
  }

  /** By code point. */
  compare(left: number, right: number): number {
    const byPrefix = (this.#prefixes[left] ?? 0) - (this.#prefixes[right] ?? 0);
    return byPrefix || Buffer.compare(this.#bytesOf(left), this.#bytesOf(right));
  }

  /** As `compare`, with an id that may have no number. */
  compareWith(number: number, offerId: Buffer): number {
    return Buffer.compare(this.#bytesOf(number), offerId);
  }

  #bytesOf(number: number): Uint8Array {
    const { starts, lengths, values } = this.#ids;
    const start = starts[number] ?? 0;
    return values.subarray(start, start + (lengths[number] ?? 0));
  }
}

function prefixOf(bytes: Uint8Array): number {
  let prefix = 0;
  for (let index = 0; index < prefixLength; index++) prefix = prefix * 256 + (bytes[index] ?? 0);
  return prefix;
}

const integerNames = [...integerColumns.keys()];

/** Offers per statement: 1.5 MB of JSON, parsed in 10 ms. */
const pageSize = 5_000;

type Row = [
  number: number,
  offerId: string,
  terms: number[],
  facets: number[],
  hasGiveaway: boolean,
  ...integers: (number | null)[],
];

/** The offers of a generation by number: 250 bytes each; a search reads some of the columns. */
export class OfferColumns {
  readonly #table: string;
  readonly #lock: ReadWriteLock;
  /** Integer columns of the table. */
  #integers: ReadonlySet<string> | undefined;
  readonly ids = new OfferIds();
  /** Terms to filter by. */
  readonly terms = new TermLists();
  /** Terms that aggregations count. */
  readonly facets = new TermLists();
  /** 1 for existing offers. */
  present = new Uint8Array();
  hasGiveaway = new Uint8Array();
  /** NaN where there is none. */
  readonly integers = Object.fromEntries(
    integerNames.map((name) => [name, new Float64Array()]),
  ) as Record<IntegerName, Float64Array>;

  /** @param lock of their readers */
  constructor(table: string, lock: ReadWriteLock) {
    this.#table = table;
    this.#lock = lock;
  }

  /** Memory in bytes. */
  get sizeBytes(): number {
    const perOffer = 2 + 8 * integerNames.length;
    const lists = this.ids.sizeBytes + this.terms.sizeBytes + this.facets.sizeBytes;
    return lists + perOffer * this.present.length;
  }

  /** Reads the whole table into empty columns. */
  async readAll(queryable: Queryable): Promise<void> {
    for (let after = 0; ;) {
      const rows = await this.#rows(
        queryable,
        `select * from ${this.#table} where number > $1 order by number limit ${pageSize}`,
        after,
      );
      for (const row of rows) this.#set(row);
      after = rows.at(-1)?.[0] ?? after;
      if (rows.length < pageSize) return;
    }
  }

  /** Reads these offers again. */
  async readAgain(queryable: Queryable, numbers: Int32Array): Promise<void> {
    const pages: Row[][] = [];
    for (let from = 0; from < numbers.length; from += pageSize) {
      const rows = await this.#rows(
        queryable,
        `select * from ${this.#table} where number = any($1::int[])`,
        [...numbers.subarray(from, from + pageSize)],
      );
      pages.push(rows);
    }
    // Atomically, since a search may be waiting for prices.
    await this.#lock.write(() => {
      for (const number of numbers) if (number < this.present.length) this.present[number] = 0;
      for (const row of pages.flat()) this.#set(row);
    });
  }

  async #rows(queryable: Queryable, offers: string, parameter: unknown): Promise<Row[]> {
    const present = (this.#integers ??= await presentColumns(
      queryable,
      this.#table,
      integerColumns.values(),
    ));
    const integers = [...integerColumns.values()].map((name) =>
      present.has(name) ? name : "null",
    );
    const row = await queryable.readOne<{ offers: Row[] | null }>(
      `select json_agg(json_build_array(number, offer_id, terms, facets, has_giveaway,
        ${integers.join(", ")}) order by number) as offers from (${offers}) as offer`,
      [parameter],
    );
    return row?.offers ?? [];
  }

  #set([number, offerId, terms, facets, hasGiveaway, ...integers]: Row): void {
    this.present = grown(this.present, number + 1);
    this.hasGiveaway = grown(this.hasGiveaway, number + 1);
    this.present[number] = 1;
    this.hasGiveaway[number] = hasGiveaway ? 1 : 0;
    this.ids.add(number, offerId);
    this.terms.set(number, terms);
    this.facets.set(number, facets);
    for (const [index, name] of integerNames.entries()) {
      const column = grown(this.integers[name], number + 1);
      column[number] = integers[index] ?? Number.NaN;
      this.integers[name] = column;
    }
  }
}

import type { Queryable, Transaction } from "@storefront/database";
import { createHash } from "node:crypto";
import type { Term } from "../../domain/offer-terms.ts";

/** A unique text for each term. */
export function termKey({ kind, value }: Term): string {
  return `${kind}\0${value}`;
}

/** Maps terms to numbers and back, both cached, since they never change. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #terms = new Map<number, Term>();

  /** The numbers of terms by {@link termKey}; adds new ones. */
  async numbersFor(tx: Transaction, terms: readonly Term[]): Promise<ReadonlyMap<string, number>> {
    const unique = new Map(terms.map((term) => [termKey(term), term]));
    const found = await this.#find(tx, unique);
    const fresh = [...unique].filter(([key]) => !found.has(key)).map(([, term]) => term);
    if (fresh.length === 0) return found;
    const { rows } = await tx.write<Term & { number: number }>(
      `insert into search.term (kind, value, digest)
        select * from unnest($1::text[], $2::text[], $3::bytea[])
        on conflict (digest) do nothing
        returning number, kind, value`,
      [fresh.map(({ kind }) => kind), fresh.map(({ value }) => value), fresh.map(digestOf)],
    );
    // Not cached before the commit: a rollback removes the numbers.
    return new Map([...found, ...rows.map((row) => [termKey(row), row.number] as const)]);
  }

  /** The numbers of known terms, by {@link termKey}. */
  async knownNumbers(
    queryable: Queryable,
    terms: readonly Term[],
  ): Promise<ReadonlyMap<string, number>> {
    const found = await this.#find(queryable, new Map(terms.map((term) => [termKey(term), term])));
    for (const [key, number] of found) this.#numbers.set(key, number);
    return found;
  }

  async termsOf(
    queryable: Queryable,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, Term>> {
    const missing = numbers.filter((number) => !this.#terms.has(number));
    if (missing.length > 0) {
      const rows = await queryable.read<Term & { number: number }>(
        "select number, kind, value from search.term where number = any($1::int[])",
        [missing],
      );
      for (const { number, kind, value } of rows) this.#terms.set(number, { kind, value });
    }
    return this.#terms;
  }

  async #find(
    queryable: Queryable,
    terms: ReadonlyMap<string, Term>,
  ): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const missing: Term[] = [];
    for (const [key, term] of terms) {
      const number = this.#numbers.get(key);
      if (number === undefined) missing.push(term);
      else found.set(key, number);
    }
    if (missing.length === 0) return found;
    const rows = await queryable.read<Term & { number: number }>(
      "select number, kind, value from search.term where digest = any($1::bytea[])",
      [missing.map(digestOf)],
    );
    for (const row of rows) found.set(termKey(row), row.number);
    return found;
  }
}

function digestOf(term: Term): Buffer {
  return createHash("sha256").update(termKey(term)).digest();
}

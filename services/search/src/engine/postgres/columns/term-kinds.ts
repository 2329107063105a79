import { outsideCalls } from "@storefront/call-scope";
import type { Queryable } from "@storefront/database";
import type { TermKind } from "../../../domain/field-names.ts";
import { grown } from "./grown.ts";

const pageSize = 50_000;

/** Of which kind each term is, by number: a byte, where the terms themselves would take a hundred. */
export class TermKinds {
  readonly #queryable: Queryable;
  readonly #kinds: TermKind[] = [];
  #codes = new Uint8Array();
  #newest = 0;
  #reading: Promise<void> | undefined;

  constructor(queryable: Queryable) {
    this.#queryable = queryable;
  }

  /** Makes all kinds known of terms below a number. Terms that are there do not change. */
  async readBelow(end: number): Promise<void> {
    while (this.#newest < end - 1) {
      const before = this.#newest;
      this.#reading ??= outsideCalls(() => this.#read()).finally(() => (this.#reading = undefined));
      await this.#reading;
      if (this.#newest === before) return;
    }
  }

  /** Undefined for what is no term. */
  of(number: number): TermKind | undefined {
    return this.#kinds[(this.#codes[number] ?? 0) - 1];
  }

  async #read(): Promise<void> {
    const row = await this.#queryable.readOne<{ numbers: number[] | null; kinds: TermKind[] }>(
      `select json_agg(number order by number) as numbers, json_agg(kind order by number) as kinds
        from (select number, kind from search.term where number > $1
          order by number limit ${pageSize}) as page`,
      [this.#newest],
    );
    const numbers = row?.numbers ?? [];
    this.#newest = numbers.at(-1) ?? this.#newest;
    this.#codes = grown(this.#codes, this.#newest + 1);
    for (const [index, number] of numbers.entries()) {
      this.#codes[number] = this.#codeOf(row?.kinds[index]);
    }
  }

  #codeOf(kind: TermKind | undefined): number {
    if (kind === undefined) return 0;
    const index = this.#kinds.indexOf(kind);
    return index === -1 ? this.#kinds.push(kind) : index + 1;
  }
}

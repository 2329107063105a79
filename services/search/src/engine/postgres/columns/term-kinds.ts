import { outsideCalls } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import type { TermKind } from "../../../domain/offer-fields.ts";
import { isCounted } from "../../../domain/offer-terms.ts";
import { grown } from "./packed-lists.ts";

const pageSize = 50_000;

interface Page {
  readonly numbers: number[] | null;
  readonly kinds: TermKind[];
  /** The value of a term without an ASCII letter or digit, ids of labels aside. */
  readonly doubtful: (string | null)[];
}

/** The kind of each counted term, by number: one byte, where terms would take a hundred. */
export class TermKinds {
  readonly #queryable: Queryable;
  readonly #kinds: TermKind[] = [];
  #codes = new Uint8Array();
  #newest = 0;
  #reading: Promise<void> | undefined;

  constructor(queryable: Queryable) {
    this.#queryable = queryable;
  }

  /** Loads the kinds of terms below a number. Existing terms do not change. */
  async readBelow(end: number): Promise<void> {
    while (this.#newest < end - 1) {
      const before = this.#newest;
      this.#reading ??= outsideCalls(() => this.#read()).finally(() => (this.#reading = undefined));
      await this.#reading;
      if (this.#newest === before) return;
    }
  }

  /** Undefined for an unknown term, or one that is not counted. */
  of(number: number): TermKind | undefined {
    return this.#kinds[(this.#codes[number] ?? 0) - 1];
  }

  async #read(): Promise<void> {
    const row = await this.#queryable.readOne<Page>(
      `select json_agg(number order by number) as numbers, json_agg(kind order by number) as kinds,
          json_agg(case when split_part(value, e'\\x1f', 1) !~ '[A-Za-z0-9]' then value end
            order by number) as doubtful
        from (select number, kind, value from search.term where number > $1
          order by number limit ${pageSize}) as page`,
      [this.#newest],
    );
    const numbers = row?.numbers ?? [];
    this.#newest = numbers.at(-1) ?? this.#newest;
    this.#codes = grown(this.#codes, this.#newest + 1);
    for (const [index, number] of numbers.entries()) {
      const value = row?.doubtful[index];
      const isNone = typeof value === "string" && !isCounted(value);
      this.#codes[number] = isNone ? 0 : this.#codeOf(row?.kinds[index]);
    }
  }

  #codeOf(kind: TermKind | undefined): number {
    if (kind === undefined) return 0;
    const index = this.#kinds.indexOf(kind);
    return index === -1 ? this.#kinds.push(kind) : index + 1;
  }
}

import { outsideCalls } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import { WordList } from "../../../domain/word-list.ts";

/** Words are added synchronously, in some 10 ms per page. */
const pageSize = 5_000;

/** The words of the index in memory, read at the first misspelt query, then updated. */
export class KnownWords {
  readonly #database: Queryable;
  readonly #list = new WordList();
  #newest = 0;
  #reading: Promise<void> | undefined;

  constructor(database: Queryable) {
    this.#database = database;
  }

  async upToDate(): Promise<WordList> {
    // A read in progress may lack words that the caller has seen.
    await this.#reading;
    this.#reading ??= outsideCalls(() => this.#read()).finally(() => (this.#reading = undefined));
    await this.#reading;
    return this.#list;
  }

  /** Writers take turns, so numbers become visible in order. */
  async #read(): Promise<void> {
    for (;;) {
      const rows = await this.#database.read<{ number: number; word: string }>(
        {
          name: "search.newWords",
          text: "select number, word from search.word where number > $1 order by number limit $2",
        },
        [this.#newest, pageSize],
      );
      this.#list.add(rows.map(({ word }) => word));
      this.#newest = rows.at(-1)?.number ?? this.#newest;
      if (rows.length < pageSize) return;
    }
  }
}

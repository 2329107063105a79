import { outsideCalls } from "@storefront/process";
import type { Queryable } from "@storefront/database";
import { WordList } from "../../../domain/word-list.ts";

/** Words are added at one go, in some 10 ms; between two pages others have their turn. */
const pageSize = 5_000;

/** The words of the index in memory, read when the first misspelt query comes, then kept up to date. */
export class KnownWords {
  readonly #database: Queryable;
  readonly #list = new WordList();
  #newest = 0;
  #reading: Promise<void> | undefined;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** As the database has them now. */
  async upToDate(): Promise<WordList> {
    // What is being read may lack what the caller has seen written.
    await this.#reading;
    this.#reading ??= outsideCalls(() => this.#read()).finally(() => (this.#reading = undefined));
    await this.#reading;
    return this.#list;
  }

  /** Writers take turns, so that numbers become visible in their order. */
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

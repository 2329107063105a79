import { mayBeCorrected } from "../../domain/query-corrections.ts";
import type { QueryWord } from "../../domain/text-query.ts";
import { maxEdits, WordList } from "../../domain/word-list.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import { importDocuments } from "./send-documents.ts";
import type { TypesenseConnection, WriteDeadline } from "./typesense-client.ts";

/** Searches that the server takes in one request. */
const maxSearches = 50;

/** Generations whose words are remembered: the live one, and one that is being built. */
const maxWritten = 2;

/** The words of generations, kept on the server; the server finds near ones, which are then measured. */
export class KnownWords {
  readonly #connection: TypesenseConnection;
  /** Words that this process has written, by collection, so as not to write them with every offer. */
  readonly #written = new Map<string, Set<string>>();

  constructor(connection: TypesenseConnection) {
    this.#connection = connection;
  }

  /** Adds words to a collection. */
  async add(collection: string, words: Iterable<string>, deadline: WriteDeadline): Promise<void> {
    const written = this.#written.get(collection) ?? new Set();
    const fresh = [...new Set(words)].filter((word) => !written.has(word));
    const documents = fresh.map((word) => ({ id: word, spelling: spelling(word) }));
    await importDocuments({ connection: this.#connection, collection, deadline }, documents);
    for (const word of fresh) written.add(word);
    this.#written.set(collection, written);
    // Others were dropped by another process.
    for (const name of [...this.#written.keys()].slice(0, -maxWritten)) this.#written.delete(name);
  }

  /** Call it when a collection is made or dropped. */
  forget(collection: string): void {
    this.#written.delete(collection);
  }

  /** Words like those typed, as far as those may be corrected. */
  async near(collection: string, typed: readonly QueryWord[]): Promise<WordList> {
    const list = new WordList();
    const correctable = typed.filter(mayBeCorrected).slice(0, maxSearches);
    if (correctable.length === 0) return list;
    const answers = await searchCollections(
      this.#connection.client,
      correctable.map(({ word, isPrefix }) => ({
        collection,
        q: spelling(word),
        query_by: "spelling",
        num_typos: maxEdits(word),
        min_len_2typo: 8,
        prefix: isPrefix,
        drop_tokens_threshold: 0,
        // Corrections are wanted however many words begin as typed.
        typo_tokens_threshold: 1_000,
        max_candidates: 1_000,
        include_fields: "id",
        limit: 250,
      })),
    );
    list.add([...new Set(answers.flatMap(idsOf))]);
    return list;
  }
}

/**
 * A word with one plain letter for each of its own, so that the server, which counts bytes, is never
 * further from a typed word than people are.
 */
function spelling(word: string): string {
  return Array.from(word, (letter) =>
    /[a-z0-9]/.test(letter)
      ? letter
      : String.fromCharCode(97 + ((letter.codePointAt(0) ?? 0) % 26)),
  ).join("");
}

import type { TextModel } from "./text-model.ts";
import type { JsonObject } from "../json.ts";
import type { Field } from "../schema/field.ts";
import type { Schema } from "../schema/schema.ts";
import { tokenizer } from "../text/tokenize.ts";
import type { TokenRules, Tokenizer } from "../text/tokenize.ts";
import { TypesenseError } from "../typesense-error.ts";

/** A document as it is kept; a write replaces it as a whole. */
export interface StoredDocument {
  /** Its place in the order of insertion, which an update keeps. */
  readonly seq: number;
  readonly id: string;
  /** What is kept and answered. */
  readonly document: JsonObject;
  /** What is searched, filtered and sorted by: the document with the fields that are not kept (`store: false`). */
  readonly values: JsonObject;
}

/** The documents that hold each word of a field. */
export type Vocabulary = ReadonlyMap<string, readonly StoredDocument[]>;

/** A collection in memory. Whatever is derived from the documents is forgotten when one changes. */
export class Collection {
  readonly name: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  schema: Schema;
  /** Makes the vectors of auto-embedding fields, and those of queries for them. */
  readonly model: TextModel;
  #documents = new Map<string, StoredDocument>();
  #nextSeq = 0;
  #words = new WeakMap<StoredDocument, Map<Field, string[][]>>();
  #vocabularies = new Map<Field, Vocabulary>();

  constructor(name: string, schema: Schema, model: TextModel) {
    this.name = name;
    this.model = model;
    this.schema = schema;
    this.createdAt = Math.floor(Date.now() / 1000);
  }

  get size(): number {
    return this.#documents.size;
  }

  /** Every document, the one inserted first at the start. */
  all(): StoredDocument[] {
    return [...this.#documents.values()].toSorted((a, b) => a.seq - b.seq);
  }

  find(id: string): StoredDocument | undefined {
    return this.#documents.get(id);
  }

  /** @throws TypesenseError 404 when there is none. */
  get(id: string): StoredDocument {
    const stored = this.#documents.get(id);
    if (stored !== undefined) return stored;
    throw new TypesenseError(`Could not find a document with id: ${id}`, 404);
  }

  /** The next place in the order of insertion; asking uses it up. */
  takeSeq(): number {
    return this.#nextSeq++;
  }

  put(stored: StoredDocument): void {
    this.#documents.set(stored.id, stored);
    this.#vocabularies.clear();
  }

  delete(id: string): void {
    this.#documents.delete(id);
    this.#vocabularies.clear();
  }

  /** The words of a text field: one list for each element, just one unless the field is an array. */
  words(stored: StoredDocument, field: Field): string[][] {
    const known = this.#words.get(stored) ?? new Map<Field, string[][]>();
    this.#words.set(stored, known);
    const words = known.get(field) ?? texts(stored.values[field.name]).map(this.tokenizer(field));
    known.set(field, words);
    return words;
  }

  vocabulary(field: Field): Vocabulary {
    const known = this.#vocabularies.get(field);
    if (known !== undefined) return known;
    const vocabulary = new Map<string, StoredDocument[]>();
    for (const stored of this.all()) {
      for (const word of new Set(this.words(stored, field).flat())) {
        const holders = vocabulary.get(word);
        if (holders === undefined) vocabulary.set(word, [stored]);
        else holders.push(stored);
      }
    }
    this.#vocabularies.set(field, vocabulary);
    return vocabulary;
  }

  /** Cuts texts of this field into words. */
  tokenizer(field: Field): Tokenizer {
    return tokenizer(this.tokenRules(field));
  }

  /** How texts of this field are cut into words. */
  tokenRules(field: Field): TokenRules {
    return {
      locale: field.locale,
      symbols: field.symbols_to_index ?? this.schema.symbolsToIndex,
      separators: field.token_separators ?? this.schema.tokenSeparators,
    };
  }
}

/** The texts of a value: of a string or of a list of strings, else none. */
export function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.map(String) : [];
}

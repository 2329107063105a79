import type { Collection, StoredDocument } from "../documents/collection.ts";
import type { TextMatch } from "./score-match.ts";
import type { SearchField } from "./search-fields.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** A word of the query. */
export interface QueryWord {
  word: string;
  /** Whether it may be the beginning of a word: true of the query's last one. */
  mayBePrefix: boolean;
}

/** What a text query runs over, and what it has found so far. */
export interface TextSearch {
  collection: Collection;
  fields: readonly SearchField[];
  parameters: SearchParameters;
  /** The documents that the filter and the exclusions leave. */
  allowed: ReadonlySet<StoredDocument>;
  matches: Map<StoredDocument, TextMatch>;
  /** Words that have been looked for and found, by which texts are highlighted. */
  matchedWords: Map<string, { length: number; isPrefix: boolean }>;
  /** The combinations that have been tried, joined by spaces. */
  tried: Set<string>;
}

import type { StoredDocument } from "../documents/collection.ts";
import type { TextMatch } from "./score-match.ts";

/** A document that was found, and why. */
export interface Hit {
  stored: StoredDocument;
  /** Of a text query; a hit by vector alone scores 0. */
  match?: TextMatch;
  vectorDistance?: number;
  /** Of a hybrid query: what takes the place of the text score in the order. */
  fusion?: number;
}

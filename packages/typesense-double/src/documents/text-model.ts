import { TypesenseError } from "../typesense-error.ts";

/** Numbers in a vector of the model. */
export const modelDimensions = 64;

/**
 * Stands for the models that a server embeds texts with: near is what shares words. It knows every model's
 * name, and asks no endpoint.
 */
export class TextModel {
  /** Every text that it has embedded, queries included. */
  readonly texts: string[] = [];
  /** Whether it fails, as a server does that cannot reach a model's endpoint. */
  isFailing = false;

  /** @throws TypesenseError 400 while it fails. */
  embed(text: string): number[] {
    if (this.isFailing) throw new TypesenseError("The embedding model failed, by the test.");
    this.texts.push(text);
    const vector = Array.from({ length: modelDimensions }, () => 0);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const place = placeOf(word);
      vector[place] = (vector[place] ?? 0) + 1;
    }
    return vector;
  }
}

function placeOf(word: string): number {
  let hash = 0;
  for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % modelDimensions;
}

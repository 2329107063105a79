import { isLongerThan } from "./is-longer-than.ts";

const maxLength = 256;
const controlCharacter = /\p{Cc}/u;

/**
 * Whether the text can name something: 1 to 256 characters, counted as code points, without control
 * characters. The contract means this wherever it speaks of an id.
 */
export function isIdentifier(text: string): boolean {
  return text !== "" && !controlCharacter.test(text) && !isLongerThan(text, maxLength);
}

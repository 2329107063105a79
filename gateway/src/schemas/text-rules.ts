/** At most this many characters (code points) in an identifier. */
export const identifierMaxLength = 256;

const controlCharacter = /\p{Cc}/u;

/** Whether the text can be stored and sent on as it is: no NUL, no half of a surrogate pair. */
export function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Whether the text has at most so many code points. */
export function isAtMost(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  // A code point is at most two units.
  return text.length <= 2 * maxLength && Array.from(text).length <= maxLength;
}

/** Whether the text may be the id of a record: 1 to 256 characters, no control characters. */
export function isIdentifier(text: string): boolean {
  return (
    text.length > 0 &&
    isAtMost(text, identifierMaxLength) &&
    !controlCharacter.test(text) &&
    text.isWellFormed()
  );
}

const functionWords: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be been before but by can could did do does for from
  get got had has have he her here him his how i if in into is it its just like me more my no not of off
  on one only or other our out over own she so some than that the their them then there they this those
  through to too under until up us very was we were what when where which while who why will with would
  you your yours`.split(/\s+/),
);

/**
 * Whether a word, folded, only holds an English sentence together. Other languages' are told by how
 * many offers have them.
 */
export function isFunctionWord(word: string): boolean {
  return functionWords.has(word);
}

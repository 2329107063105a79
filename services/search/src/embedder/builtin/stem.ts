const latinWord = /^[a-z]+$/;
const doubled = /([b-df-hj-np-tv-z])\1$/;

/**
 * Brings inflected forms of an English word together, roughly: plurals, -ing, -ed, -er, -ly and a
 * final e. What it gives is a key, not a word. Words in other scripts stay as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !latinWord.test(word)) return word;
  let base = word;
  if (base.endsWith("ies") && base.length > 4) base = `${base.slice(0, -3)}y`;
  else if (base.endsWith("s") && !base.endsWith("ss") && !base.endsWith("us")) {
    base = base.slice(0, -1);
  }
  const ending = ["ing", "ed", "er", "ly"].find(
    (each) => base.endsWith(each) && base.length - each.length >= 3,
  );
  if (ending !== undefined) {
    base = base.slice(0, -ending.length);
    if (doubled.test(base) && !/[lsz]$/.test(base)) base = base.slice(0, -1);
  }
  if (base.length > 3 && base.endsWith("e")) base = base.slice(0, -1);
  if (base.length > 3 && base.endsWith("y")) base = `${base.slice(0, -1)}i`;
  return base;
}

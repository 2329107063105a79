import { mix, streamKeys } from "./seed.ts";
import type { Seed, Stream } from "./seed.ts";

/** Numbers of one kind that fit into a sandbox: 2^12, which leaves room for 2^20 sandboxes. */
const numbersPerSandbox = 4096;

/** The number of a sandbox's n-th record of a kind, unique over the whole catalogue. */
export function numberIn(sandboxIndex: number, n: number): number {
  return sandboxIndex * numbersPerSandbox + n;
}

/**
 * An identifier of 8 to 40 hexadecimal characters. The first 8 are a bijection of the number, so
 * identifiers of one stream never collide below 2^32.
 */
export function identifier(seed: Seed, stream: Stream, number: number, length = 32): string {
  const keys = streamKeys(seed, stream);
  let word = mix(number ^ keys.a);
  let text = hexadecimal(word);
  for (let key = keys.b; text.length < length; key = mix(key + 1)) {
    word = mix(word ^ key);
    text += hexadecimal(word);
  }
  return text.slice(0, length);
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

import { indexWords } from "./text-words.ts";

/** Any JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** More words than this of one entry are not searched. */
const maxWords = 5_000;

/** The words of values, at any depth, each once: what an entry is found by. Names of members are none. */
export function wordsOfValues(values: readonly (Json | undefined)[]): string {
  const words = new Set<string>();
  for (const value of values) {
    for (const text of textsIn(value)) {
      for (const word of indexWords(text)) {
        if (words.size >= maxWords) return [...words].join(" ");
        words.add(word);
      }
    }
  }
  return [...words].join(" ");
}

function* textsIn(value: Json | undefined): Generator<string> {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") yield String(value);
  else for (const member of Object.values(value)) yield* textsIn(member);
}

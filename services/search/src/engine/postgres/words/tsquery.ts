import type { WantedChunk, WantedWord } from "../../text-match.ts";

/**
 * What is wanted as a `tsquery`. Words are letters and digits only, so that nothing needs escaping.
 *
 * @param weights those of the places that count; default all
 * @param isWhole finds nothing that is longer than what was typed; default false
 */
export function tsquery(
  chunks: readonly WantedChunk[],
  { weights = "", isWhole = false }: { weights?: string; isWhole?: boolean } = {},
): string {
  const lexeme = ({ word, isPrefix }: WantedWord) => {
    const marks = `${isPrefix && !isWhole ? "*" : ""}${weights}`;
    return marks === "" ? `'${word}'` : `'${word}':${marks}`;
  };
  return chunks
    .map((alternatives) => {
      const joined = alternatives.map((words) =>
        words.map((spellings) => `(${spellings.map(lexeme).join(" | ")})`).join(" & "),
      );
      return `(${joined.map((alternative) => `(${alternative})`).join(" | ")})`;
    })
    .join(" & ");
}

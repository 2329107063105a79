import { markedParts } from "../format/marked-parts.ts";

/** A highlight of a search, whose matches are marked. */
export function MarkedText({ html }: { html: string }) {
  return markedParts(html).map(({ text, isMatch }, place) =>
    isMatch ? <mark key={place}>{text}</mark> : text,
  );
}

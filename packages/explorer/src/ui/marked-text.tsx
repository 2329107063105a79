/** A highlight of a search, whose matches are marked. */
export function MarkedText({ html }: { html: string }) {
  return markedParts(html).map(({ text, isMatch }, index) =>
    isMatch ? <mark key={index}>{text}</mark> : text,
  );
}

/** A part of a text, and whether a search matched it. */
interface MarkedPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const signs: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/**
 * The text of a highlight in parts, to be shown as text: no part of it is ever HTML. What is no `mark` element and no
 * entity that highlights have stands for itself.
 */
function markedParts(html: string): MarkedPart[] {
  return html
    .split(/<mark>(.*?)<\/mark>/s)
    .map((part, index) => ({ text: textOf(part), isMatch: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

function textOf(html: string): string {
  return html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => signs[entity] ?? entity);
}

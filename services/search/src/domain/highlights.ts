/** A part of a text, in UTF-16 code units; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A text and what a search matched in it. */
export interface MatchedText {
  readonly text: string;
  /** Ascending, not empty themselves, without overlaps. */
  readonly matches: readonly TextRange[];
}

/** What a search matched in an offer, as HTML: escaped text with `mark` elements. */
export interface Highlights {
  /** The whole title; absent when nothing in it matched. */
  readonly title?: string;
  /** A part of the description, at most `maxSnippetLength` without the markup; absent when nothing in it matched. */
  readonly description?: string;
}

/** Length of the longest snippet, in UTF-16 code units without the markup. */
export const maxSnippetLength = 200;

/** Context before the first match of a snippet that begins within the text, in UTF-16 code units. */
const leadLength = 60;

/** Highlights of an offer's texts. Engines only find the matches, so that all escape and cut alike. */
export function highlightsOf({
  title,
  description,
}: Readonly<Record<"title" | "description", MatchedText>>): Highlights {
  return {
    ...(title.matches.length > 0 && {
      title: markedHtml(title, { start: 0, end: title.text.length }),
    }),
    ...(description.matches.length > 0 && {
      description: markedHtml(description, snippetRange(description)),
    }),
  };
}

function markedHtml({ text, matches }: MatchedText, { start, end }: TextRange): string {
  let html = "";
  let at = start;
  for (const match of matches) {
    const from = Math.max(match.start, start);
    const to = Math.min(match.end, end);
    if (from >= to) continue;
    html += `${escapeHtml(text.slice(at, from))}<mark>${escapeHtml(text.slice(from, to))}</mark>`;
    at = to;
  }
  return html + escapeHtml(text.slice(at, end));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const signs = new Map(Object.entries(entities).map(([sign, entity]) => [entity, sign]));

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** The text of escaped HTML without elements. */
export function plainText(html: string): string {
  return html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => signs.get(entity) ?? entity);
}

/** The whole text if it is short enough, else a part around its best match, cut between words where there are any. */
function snippetRange({ text, matches }: MatchedText): TextRange {
  const last = text.length - maxSnippetLength;
  if (last <= 0) return { start: 0, end: text.length };
  const best = bestMatch(text, matches);
  const start = startOfWord(text, Math.min(Math.max(best.start - leadLength, 0), last), best.start);
  return { start, end: endOfWord(text, start + maxSnippetLength, best.end) };
}

/** The first match of those that are followed by the most different words within a snippet. */
function bestMatch(text: string, matches: readonly TextRange[]): TextRange {
  const words = matches.map(({ start, end }) => text.slice(start, end).toLowerCase());
  /** How often each word is matched from one match on, as far as a snippet goes. */
  const counts = new Map<string, number>();
  const add = (index: number, count: number) => {
    const word = words[index] ?? "";
    const sum = (counts.get(word) ?? 0) + count;
    if (sum === 0) counts.delete(word);
    else counts.set(word, sum);
  };
  let best = { start: 0, end: 0 };
  let most = 0;
  let next = 0;
  for (const [index, match] of matches.entries()) {
    const reach = match.start + maxSnippetLength - leadLength;
    while (next <= index || (matches[next]?.end ?? Infinity) <= reach) add(next++, 1);
    if (counts.size > most) best = match;
    most = Math.max(most, counts.size);
    add(index, -1);
  }
  return best;
}

/** The next beginning of a word at or after an offset and up to another; else the offset, between code points. */
function startOfWord(text: string, offset: number, latest: number): number {
  if (offset === 0) return 0;
  const space = /\s(?=\S)/u.exec(text.slice(offset - 1, latest + 1));
  if (space !== null) return offset + space.index;
  return isWithinCodePoint(text, offset) ? offset + 1 : offset;
}

/** The last end of a word at or before an offset and down to another; else the offset, between code points. */
function endOfWord(text: string, offset: number, earliest: number): number {
  if (offset >= text.length) return text.length;
  const space = /\s+\S*$/u.exec(text.slice(earliest, offset + 1));
  if (space !== null) return earliest + space.index;
  return isWithinCodePoint(text, offset) ? offset - 1 : offset;
}

function isWithinCodePoint(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

/** A range in UTF-16 code units; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A text and the matches of a search in it. */
interface MatchedText {
  readonly text: string;
  /** Ascending, not empty, not overlapping. */
  readonly matches: readonly TextRange[];
}

/** Matches of a search in an offer, as HTML: escaped text with `mark` elements. */
export interface Highlights {
  /** The whole title; absent without a match. */
  readonly title?: string;
  /** Part of the description, at most `maxSnippetLength` without markup; absent without a match. */
  readonly description?: string;
}

/** Longest snippet, in UTF-16 code units without markup. */
export const maxSnippetLength = 200;

/** Context before the first match of a snippet, in UTF-16 code units. */
const leadLength = 60;

/** Highlights of an offer's texts. Engines only find matches, so that escaping and cutting are the same for all. */
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

/** The whole text if it is short enough, else a part around its best match, cut between words where possible. */
function snippetRange({ text, matches }: MatchedText): TextRange {
  const last = text.length - maxSnippetLength;
  if (last <= 0) return { start: 0, end: text.length };
  const best = bestMatch(text, matches);
  const start = startOfWord(text, Math.min(Math.max(best.start - leadLength, 0), last), best.start);
  return { start, end: endOfWord(text, start + maxSnippetLength, best.end) };
}

/** The first match that is followed by the most different words within a snippet. */
function bestMatch(text: string, matches: readonly TextRange[]): TextRange {
  const words = matches.map(({ start, end }) => text.slice(start, end).toLowerCase());
  /** Matches of each word from one match on, within a snippet. */
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

/** The next start of a word from an offset up to `latest`; else the offset, between code points. */
function startOfWord(text: string, offset: number, latest: number): number {
  if (offset === 0) return 0;
  const space = /\s(?=\S)/u.exec(text.slice(offset - 1, latest + 1));
  if (space !== null) return offset + space.index;
  return isWithinCodePoint(text, offset) ? offset + 1 : offset;
}

/** The last end of a word from an offset down to `earliest`; else the offset, between code points. */
function endOfWord(text: string, offset: number, earliest: number): number {
  if (offset >= text.length) return text.length;
  const space = /\s+\S*$/u.exec(text.slice(earliest, offset + 1));
  if (space !== null) return earliest + space.index;
  return isWithinCodePoint(text, offset) ? offset - 1 : offset;
}

function isWithinCodePoint(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

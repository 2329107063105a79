import { hash } from "node:crypto";

/** Most characters of a tool's result, with the note on how to get the next piece. */
export const resultMaxLength = 15_000;

/** Room for the note. */
const noteMaxLength = 300;

export interface ResultPiece {
  /** Whole lines of the result where they fit. */
  readonly text: string;
  /** Position of the next piece; absent on the last one. */
  readonly next?: string;
}

/**
 * A result as text that can be cut: JSON with each element of its lists on a line of its own, so that
 * pieces mostly end between elements. All pieces together are the JSON.
 */
export function resultText(result: object): string {
  if (Array.isArray(result)) return listText(result);
  const members = Object.entries(result).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${Array.isArray(value) ? listText(value) : JSON.stringify(value)}`,
  );
  return `{${members.join(",\n")}}`;
}

function listText(list: readonly unknown[]): string {
  return `[${list.map((element) => JSON.stringify(element)).join(",\n")}]`;
}

/**
 * The piece of a text that begins at the position of an earlier `next`; by default the first one.
 *
 * @returns undefined for a position of another text: the result has changed since
 */
export function pieceOf(text: string, position: string | undefined): ResultPiece | undefined {
  const version = hash("sha256", text).slice(0, 8);
  const start = position === undefined ? 0 : startOf(position, version);
  if (start === undefined || start >= Math.max(text.length, 1)) return undefined;
  const most = resultMaxLength - noteMaxLength;
  if (text.length - start <= most) return { text: text.slice(start) };
  const end = endOf(text, start, start + most);
  return { text: text.slice(start, end), next: `${end}.${version}` };
}

function startOf(position: string, version: string): number | undefined {
  const [, start, ofVersion] = /^(\d{1,15})\.([0-9a-f]{8})$/.exec(position) ?? [];
  return ofVersion === version ? Number(start) : undefined;
}

/** After the last whole line; inside a line only if it is longer than a piece, and then between characters. */
function endOf(text: string, start: number, limit: number): number {
  const lineEnd = text.lastIndexOf("\n", limit - 1) + 1;
  if (lineEnd > start) return lineEnd;
  const isInsidePair = /[\uDC00-\uDFFF]/.test(text[limit] ?? "");
  return isInsidePair ? limit - 1 : limit;
}

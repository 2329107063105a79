import { hash } from "node:crypto";

/** Most characters of a tool's answer, its note on how to go on included. */
export const answerMaxLength = 15_000;

/** Room for the note. */
const noteMaxLength = 300;

/** A piece of an answer. */
export interface AnswerPiece {
  /** Whole lines of the answer where they fit. */
  readonly text: string;
  /** Where the next piece begins; absent on the last one. */
  readonly next?: string;
}

/**
 * An answer as text that can be cut: JSON with each element of its lists on a line of its own, so that
 * pieces mostly end between elements. All pieces together are the JSON.
 *
 * @param omitted member of the answer that is left out; default none
 */
export function answerText(answer: unknown, omitted?: string): string {
  if (Array.isArray(answer)) return listText(answer);
  if (typeof answer !== "object" || answer === null) return JSON.stringify(answer);
  const shown = Object.entries(answer).filter(([name]) => name !== omitted);
  const members = shown.map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${Array.isArray(value) ? listText(value) : JSON.stringify(value)}`,
  );
  return `{${members.join(",\n")}}`;
}

function listText(list: readonly unknown[]): string {
  return `[${list.map((element) => JSON.stringify(element)).join(",\n")}]`;
}

/**
 * The piece of a text that begins at a place, or at its beginning.
 *
 * @returns undefined for a place that is none of this text: it has changed since, or never was one
 */
export function pieceOf(text: string, place: string | undefined): AnswerPiece | undefined {
  const version = hash("sha256", text).slice(0, 8);
  const start = place === undefined ? 0 : startOf(place, version);
  if (start === undefined || start >= Math.max(text.length, 1)) return undefined;
  const most = answerMaxLength - noteMaxLength;
  if (text.length - start <= most) return { text: text.slice(start) };
  const end = endOf(text, start, start + most);
  return { text: text.slice(start, end), next: `${end}.${version}` };
}

function startOf(place: string, version: string): number | undefined {
  const [, start, ofVersion] = /^(\d{1,15})\.([0-9a-f]{8})$/.exec(place) ?? [];
  return ofVersion === version ? Number(start) : undefined;
}

/** Behind the last whole line; inside a line only if it is longer than a piece, and then between characters. */
function endOf(text: string, start: number, limit: number): number {
  const lineEnd = text.lastIndexOf("\n", limit - 1) + 1;
  if (lineEnd > start) return lineEnd;
  const isInsidePair = /[\uDC00-\uDFFF]/.test(text[limit] ?? "");
  return isInsidePair ? limit - 1 : limit;
}

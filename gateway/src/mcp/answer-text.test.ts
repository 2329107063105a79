import * as fc from "fast-check";
import { expect, it } from "vitest";
import { answerMaxLength, answerText, pieceOf } from "./answer-text.ts";

/** Texts of all pieces, each asked for where the last one said. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let place: string | undefined;
  do {
    const piece = pieceOf(text, place);
    if (piece === undefined) throw new Error("a place that was told is one");
    pieces.push(piece.text);
    place = piece.next;
  } while (place !== undefined);
  return pieces;
}

it("gives pieces within the bound that together are the answer", () => {
  const element = fc.record({
    text: fc.string({ unit: "binary", maxLength: 40_000 }),
    n: fc.nat(),
  });
  fc.assert(
    fc.property(
      fc.record({ list: fc.array(element, { maxLength: 8 }), total: fc.nat() }),
      (answer) => {
        const pieces = piecesOf(answerText(answer));
        for (const piece of pieces) {
          expect(piece.length).toBeLessThan(answerMaxLength);
          expect(piece.isWellFormed()).toBe(true);
        }
        expect(JSON.parse(pieces.join(""))).toEqual(answer);
      },
    ),
    { numRuns: 50 },
  );
});

it("ends pieces between the elements of a list", () => {
  const answer = Array.from({ length: 100 }, (_, id) => ({ id, text: "x".repeat(500) }));
  const [first = "", second = ""] = piecesOf(answerText(answer));
  expect(first.endsWith("},\n")).toBe(true);
  expect(second.startsWith('{"id":')).toBe(true);
});

it.each(["0", "x", "-1.00000000", "99999999.00000000", "14000.00000000"])(
  "knows no place %j of another answer",
  (place) => {
    expect(pieceOf(answerText(["x".repeat(20_000)]), place)).toBeUndefined();
  },
);

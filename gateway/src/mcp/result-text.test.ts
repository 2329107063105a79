import * as fc from "fast-check";
import { expect, it } from "vitest";
import { resultMaxLength, resultText, pieceOf } from "./result-text.ts";

/** The texts of all pieces, each read from the `next` of the one before. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let position: string | undefined;
  do {
    const piece = pieceOf(text, position);
    if (piece === undefined) throw new Error("an unknown position");
    pieces.push(piece.text);
    position = piece.next;
  } while (position !== undefined);
  return pieces;
}

it("cuts a result into pieces within the bound", () => {
  const element = fc.record({
    text: fc.string({ unit: "binary", maxLength: 40_000 }),
    n: fc.nat(),
  });
  fc.assert(
    fc.property(
      fc.record({ list: fc.array(element, { maxLength: 8 }), total: fc.nat() }),
      (result) => {
        const pieces = piecesOf(resultText(result));
        for (const piece of pieces) {
          expect(piece.length).toBeLessThan(resultMaxLength);
          expect(piece.isWellFormed()).toBe(true);
        }
        expect(JSON.parse(pieces.join(""))).toEqual(result);
      },
    ),
    { numRuns: 50 },
  );
});

it("ends pieces between the elements of a list", () => {
  const list = Array.from({ length: 100 }, (_, id) => ({ id, text: "x".repeat(500) }));
  const [first = "", second = ""] = piecesOf(resultText({ list }));
  expect(first.endsWith("},\n")).toBe(true);
  expect(second.startsWith('{"id":')).toBe(true);
});

it.each(["0", "x", "-1.00000000", "99999999.00000000", "14000.00000000"])(
  "rejects the position %j of another result",
  (position) => {
    expect(pieceOf(resultText({ text: "x".repeat(20_000) }), position)).toBeUndefined();
  },
);

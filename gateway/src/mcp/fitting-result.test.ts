import * as fc from "fast-check";
import { expect, it } from "vitest";
import { fittingResult } from "./fitting-result.ts";

const texts = fc.string({ unit: "binary", maxLength: 3000 });

it("fits, with the first elements of its lists whole and their texts unchanged", () => {
  const hits = fc.array(fc.record({ text: texts, tags: fc.array(texts, { maxLength: 3 }) }));
  fc.assert(
    fc.property(
      fc.record({ hits, offer: fc.record({ text: texts }), total: fc.nat() }),
      (result) => {
        const fitting = fittingResult(result, 2000);
        expect(JSON.stringify(fitting).length).toBeLessThanOrEqual(2000);
        const { hits: shown, total } = fitting as typeof result;
        expect(shown).toEqual(result.hits.slice(0, shown.length));
        expect(total).toBe(result.total);
      },
    ),
    { numRuns: 300 },
  );
});

it("keeps as many elements as fit", () => {
  const result = { hits: Array.from({ length: 50 }, () => "x".repeat(97)) };
  expect(fittingResult(result, 1000)).toEqual({ hits: result.hits.slice(0, 9) });
  expect(fittingResult(result.hits, 1000)).toEqual(result.hits.slice(0, 9));
});

import { asRegion } from "@storefront/domain/identifiers";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalQuery } from "../domain/canonical-query.ts";
import { cursorOf, positionOf } from "./page-cursor.ts";

const search = { engine: "any", query: canonicalQuery(), region: asRegion("US") };

it("decodes to its position, whatever the engine's relevance", () => {
  const position = fc.record({
    key: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    relevance: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }).map(String),
    offset: fc.nat(),
    offerIds: fc.array(fc.string(), { minLength: 1, maxLength: 11 }),
  });
  fc.assert(
    fc.property(position, (made) => {
      const { key, ...read } = positionOf(cursorOf(made, search), search);
      // JSON has no -0.
      expect({ ...read, key: key ?? null }).toEqual({
        ...made,
        key: made.key === null ? null : made.key + 0,
      });
    }),
  );
});

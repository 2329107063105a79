import { expect, it } from "vitest";
import { judgeRegions } from "./check-regions.ts";

const euro = { id: "EURO", countries: ["DE", "FR"] };
const japan = { id: "JP", countries: ["JP"] };

it("accepts a default country that is in a region, and reports the region used otherwise", () => {
  expect(judgeRegions([euro, japan], "JP")).toEqual({
    name: "default country",
    finding: "JP, in the region JP",
  });
  expect(judgeRegions([euro, japan], "US").problem).toBe(
    "US is in no region: EURO, the first region, is used instead.",
  );
  expect(judgeRegions([], "US").problem).toBe("US is in no region: there is no region.");
});

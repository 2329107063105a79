import { describe, expect, it } from "vitest";
import { ServiceError } from "../errors/service-error.ts";
import { RequestCheck } from "./request-check.ts";

function fieldsAtFault(check: RequestCheck): string[] {
  try {
    check.done();
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return error.fieldViolations.map(({ field }) => field);
    throw error;
  }
}

describe("RequestCheck", () => {
  it("refuses with every field at fault at once", () => {
    const check = new RequestCheck()
      .identifier("offer_id", "")
      .that("region", false, "must be a region")
      .that("platform", true, "must be a platform");
    expect(fieldsAtFault(check)).toEqual(["offer_id", "region"]);
  });

  it("counts identifiers in code points and allows no control characters", () => {
    const check = new RequestCheck().identifiers(
      "ids",
      ["😀".repeat(256), "x".repeat(256), "x".repeat(257), "a\nb", ""],
      5,
    );
    expect(fieldsAtFault(check)).toEqual(["ids[2]", "ids[3]", "ids[4]"]);
    expect(fieldsAtFault(new RequestCheck().identifiers("ids", [], 5))).toEqual([]);
    expect(fieldsAtFault(new RequestCheck().identifiers("ids", ["a", "b"], 1))).toEqual(["ids"]);
  });

  it("gives pages with defaults, caps and the number of elements to skip", () => {
    const limits = { defaultSize: 10, maxSize: 50 };
    const check = new RequestCheck();
    expect(check.page({ page: 0, pageSize: 0 }, limits)).toEqual({
      page: 1,
      pageSize: 10,
      offset: 0,
    });
    expect(check.page({ page: 3, pageSize: 500 }, limits)).toEqual({
      page: 3,
      pageSize: 50,
      offset: 100,
    });
    check.page({ page: 2_001, pageSize: 50 }, limits);
    expect(fieldsAtFault(check)).toEqual([]);
  });

  it("refuses negative pages and those too far away", () => {
    const limits = { defaultSize: 10, maxSize: 50, maxOffset: 100 };
    const check = new RequestCheck();
    check.page({ page: -1, pageSize: 0 }, limits);
    check.page({ page: 1, pageSize: -1 }, limits);
    check.page({ page: 12, pageSize: 10 }, limits);
    expect(fieldsAtFault(check)).toEqual(["page", "page_size", "page"]);
  });
});

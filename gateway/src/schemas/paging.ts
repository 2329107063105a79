import { z } from "zod";
import { zWholeNumber } from "./parameters.ts";

/** Members `page` and `limit` of an input; a larger limit than the cap is lowered to it. */
export function pagingShape(defaultLimit: number, cap: number) {
  return {
    page: zWholeNumber(1).default(1).meta({ description: "One-based page number.", example: 1 }),
    limit: zWholeNumber(1)
      .overwrite((limit) => Math.min(limit, cap))
      .default(defaultLimit)
      .meta({
        description: `Most records on a page; a value above ${cap} is lowered to ${cap}.`,
        example: defaultLimit,
      }),
  };
}

/** Checks of an input with `pagingShape`: records, and hits of a search, beyond so many cannot be paged to. */
export const withinReach = reachCheck(100_000);
export const withinSearchReach = reachCheck(10_000);

function reachCheck(max: number) {
  return z.refine<{ page: number; limit: number }>(({ page, limit }) => (page - 1) * limit <= max, {
    path: ["page"],
    error: `must be such that (page - 1) * limit is at most ${max}`,
  });
}

/** Members that echo the page of a list. */
export const pageEchoShape = {
  page: z.int().min(1).meta({ description: "Page number, one-based.", example: 1 }),
  limit: z.int().min(1).meta({ description: "Most records on a page, as applied.", example: 10 }),
};

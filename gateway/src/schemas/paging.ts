import { z } from "zod";

/** Records beyond this many cannot be paged to. */
export const pageReachMax = 100_000;

/** Hits of a search beyond this many cannot be paged to. */
export const searchReachMax = 10_000;

const wholeFromOne = "must be a whole number of at least 1";

/** Members `page` and `limit` of an input; a larger limit than the cap is lowered to it. */
export function pagingShape(defaultLimit: number, cap: number) {
  return {
    page: z
      .number(wholeFromOne)
      .int(wholeFromOne)
      .min(1, wholeFromOne)
      .default(1)
      .meta({ description: "One-based page number.", example: 1 }),
    limit: z
      .number(wholeFromOne)
      .int(wholeFromOne)
      .min(1, wholeFromOne)
      .overwrite((limit) => Math.min(limit, cap))
      .default(defaultLimit)
      .meta({
        description: `Most records on a page; a value above ${cap} is lowered to ${cap}.`,
        example: defaultLimit,
      }),
  };
}

interface Page {
  page: number;
  limit: number;
}

/** Whether a page lies within reach; for `refine` on an input with `pagingShape`. */
export function isWithinReach({ page, limit }: Page): boolean {
  return (page - 1) * limit <= pageReachMax;
}

/** Names the member and the rule that `isWithinReach` checks. */
export const reachRule = reachRuleOf(pageReachMax);

/** As `isWithinReach`, for a search. */
export function isWithinSearchReach({ page, limit }: Page): boolean {
  return (page - 1) * limit <= searchReachMax;
}

/** Names the member and the rule that `isWithinSearchReach` checks. */
export const searchReachRule = reachRuleOf(searchReachMax);

function reachRuleOf(max: number) {
  return { path: ["page"], error: `must be such that (page - 1) * limit is at most ${max}` };
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

/** Number of records on all pages. */
export function zTotal(description: string, example: number) {
  return z.int().min(0).meta({ description, example });
}

/** Members that echo the page of a list. */
export const pageEchoShape = {
  page: z.int().min(1).meta({ description: "Page number, one-based.", example: 1 }),
  limit: z.int().min(1).meta({ description: "Most records on a page, as applied.", example: 10 }),
};

import { z } from "zod";
import { isIdentifier, timestampOf, zTime, zWholeNumber } from "./parameters.ts";

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

const afterRule = "must be the `next` of an earlier response";

/** Members `after` and `limit` of a list by id. */
export const listingShape = {
  after: z
    .string(afterRule)
    .refine((text) => idOfCursor(text) !== undefined, afterRule)
    .meta({
      description: "The `next` of the part before; absent for the first one.",
      example: "Y2FsbHVuYQ",
    })
    .optional(),
  limit: zWholeNumber(1, 200)
    .default(50)
    .meta({ description: "Most records of a response.", example: 50 }),
  updatedSince: zTime(
    "Only what the service has changed at this time or later. Deleted records are in the changelog alone.",
  ).optional(),
};

export const zNext = z.string().nullable().meta({
  description: "What `after` takes for the next part; null at the end.",
  example: "Y2FsbHVuYQ",
});

/** The request for a part of a list by id. */
export function listingRequest({
  after,
  limit,
  updatedSince,
}: z.output<z.ZodObject<typeof listingShape>>) {
  return {
    afterId: after === undefined ? "" : (idOfCursor(after) ?? ""),
    pageSize: limit,
    ...(updatedSince !== undefined && { changedSince: timestampOf(updatedSince) }),
  };
}

/** The cursor after a record; null where no more follow. */
export function nextOf(last: { id: string } | undefined, hasMore: boolean): string | null {
  return hasMore && last !== undefined ? cursorOf(last.id) : null;
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString("base64url");
}

function idOfCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, "base64url").toString();
  return cursorOf(id) === cursor && isIdentifier(id) ? id : undefined;
}

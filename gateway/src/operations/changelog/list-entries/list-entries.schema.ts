import { z } from "zod";
import { zChangelogEntry } from "../../../schemas/changelog-entry.ts";
import { isWithinReach, pagingShape, reachRule } from "../../../schemas/paging.ts";
import { zIdentifier, zTime } from "../../../schemas/parameters.ts";

export const zListEntriesInput = z
  .object({
    since: zTime(
      "The list begins with the first change of the log whose timestamp is not before this time, and then follows the log: give the newest timestamp that you have, or better use `after`.",
    ).optional(),
    after: zIdentifier(
      "The list begins with the change that follows this one in the log. 404 when it, or one before it, was undone since: begin anew.",
      "catalog-000000000001f",
    ).optional(),
    ...pagingShape(10, 50),
  })
  .refine(isWithinReach, reachRule)
  .refine(({ since, after }) => since === undefined || after === undefined, {
    path: ["after"],
    error: "must not be given together with since",
  });

export const zListEntriesOutput = z.array(zChangelogEntry);

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListEntriesSinceRequestSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { z } from "zod";
import { withContexts } from "../../compose/enrich-entries.ts";
import { zChangelogEntry } from "../../records/changelog-entry.ts";
import { isWithinReach, pagingShape, reachRule } from "../../schemas/paging.ts";
import { zIdentifier, zTime, timestampOf } from "../../schemas/parameters.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

const zListEntriesInput = z
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

type Start = MessageInitShape<typeof ListEntriesSinceRequestSchema>["start"];

export const listEntries = operation({
  method: "GET",
  path: "/changelist",
  operationId: "listEntries",
  tag: "changelog",
  summary: "List changes",
  description:
    "All changes, newest first; with `since` or `after`, for syncing, in the order of the log, which is the order in which they were stored.",
  cost: 3,
  input: zListEntriesInput,
  failures: [404],
  output: z.array(zChangelogEntry),
  resolve: async ({ ctx, input: { since, after, page, limit } }) => {
    const { changelog } = ctx.clients;
    const paging = { page, pageSize: limit };
    const start = startOf(since, after);
    const { entries } =
      start === undefined
        ? await callUpstream(ctx, "changelog.ListEntries", (options) =>
            changelog.listEntries(paging, options),
          )
        : await callUpstream(ctx, "changelog.ListEntriesSince", (options) =>
            changelog.listEntriesSince({ start, ...paging }, options),
          );
    return await withContexts(ctx, entries);
  },
});

function startOf(since: string | undefined, after: string | undefined): Start {
  if (since !== undefined) return { case: "since", value: timestampOf(since) };
  return after === undefined ? undefined : { case: "afterEntryId", value: after };
}

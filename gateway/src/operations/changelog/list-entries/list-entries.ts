import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListEntriesSinceRequestSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { withContexts } from "../../../compose/enrich-entries.ts";
import { timestampOf } from "../../../schemas/time.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zListEntriesInput, zListEntriesOutput } from "./list-entries.schema.ts";

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
  output: zListEntriesOutput,
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

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListPriceChangesRequestSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { z } from "zod";
import { withOffers } from "../../compose/enrich-changes.ts";
import { zList, zObject, zString } from "../../records/members.ts";
import { zPriceChange } from "../../records/price-change.ts";
import { pagingShape } from "../../schemas/paging.ts";
import { timestampOf, zIdentifier, zRegion, zTime } from "../../schemas/parameters.ts";
import { noted } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";
import { stream } from "../rest-operation.ts";

const { limit: zLimit } = pagingShape(50, 500);

const zListPriceChangesInput = z
  .object({
    region: zRegion,
    since: zTime(
      "The list begins with the first change that was not stored before this time, and then follows the log. 404 when the log no longer reaches back to it.",
    ).optional(),
    after: zIdentifier(
      "The list begins with what follows this change in the log, or the place that `next` named. 404 when the log does not have it, or no longer all that follows it.",
      "price-000000000001f-hoerpj1quw",
    ).optional(),
    limit: zLimit,
  })
  .refine(({ since, after }) => since === undefined || after === undefined, {
    path: ["after"],
    error: "must not be given together with since",
  });

const zListPriceChangesOutput = zObject(
  "PriceChangePage",
  "Some changes of prices, and where to continue.",
  {
    elements: zList(zPriceChange, "The changes."),
    next: zString(
      "Give it as `after` for what follows in the log; there is nothing yet when it is the one that you gave.",
      "price-000000000001f-hoerpj1quw",
    ),
  },
);

type Start = MessageInitShape<typeof ListPriceChangesRequestSchema>["start"];

export const listPriceChanges = operation({
  path: "/price-changes",
  operationId: "listPriceChanges",
  tag: "offers",
  summary: "List changes of prices",
  description:
    "Price changes, newest first; with `since` or `after`, for syncing, in the order of the log, which is that of their commit, as far back as the log is stored. There may be more even when there are fewer than `limit`: see `next`.",
  cost: 3,
  input: zListPriceChangesInput,
  failures: [404],
  output: zListPriceChangesOutput,
  resolve: async ({ ctx, input: { region = "", since, after, limit } }) => {
    const start = startOf(since, after);
    const request = { region, pageSize: limit, ...(start && { start }) };
    const { changes, throughChangeId } = await ctx.clients.pricing.listPriceChanges(ctx, request);
    return { elements: await withOffers(ctx, changes), next: throughChangeId };
  },
});

function startOf(since: string | undefined, after: string | undefined): Start {
  if (since !== undefined) return { case: "since", value: timestampOf(since) };
  return after === undefined ? undefined : { case: "afterChangeId", value: after };
}

export const watchPriceChanges = stream({
  path: "/price-changes/stream",
  operationId: "watchPriceChanges",
  tag: "offers",
  summary: "Follow the changes of prices",
  description:
    "Server-Sent Events: every price change once, in the order of the log, within a second of its commit. The id of an event is the change's, its data is the change as in `listPriceChanges`. An id without an event is a position that the stream has passed. Comments are sent every few seconds as a heartbeat. A client that reconnects with `Last-Event-ID` misses nothing. 503 when the gateway, or the client's IP address, has the maximum number of streams.",
  input: z.object({
    region: zRegion,
    after: zIdentifier(
      "Begin after this change in the log, or after the `next` of `listPriceChanges`; `Last-Event-ID` takes precedence. Without either the stream begins with the next stored change. 404 when the log does not have it, or not all changes after it any more: restart without it.",
      "price-000000000001f-hoerpj1quw",
    ).optional(),
  }),
  failures: [404, 503],
  event: zPriceChange,
  open: async ({ ctx, hubs, input: { region, after }, lastEventId, signal }) =>
    await noted(ctx, "pricing.WatchPriceChanges", () =>
      hubs.priceChanges.follow({ afterId: lastEventId ?? after, topic: region, signal }),
    ),
});

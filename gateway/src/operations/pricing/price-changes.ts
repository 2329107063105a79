import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListPriceChangesRequestSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { z } from "zod";
import { withOffers } from "../../compose/enrich-price-changes.ts";
import { zList, zObject, zString } from "../../records/members.ts";
import { zPriceChange } from "../../records/price-change.ts";
import { pagingShape } from "../../schemas/paging.ts";
import { timestampOf, zIdentifier, zRegion, zTime } from "../../schemas/parameters.ts";
import { callUpstream, noted } from "../../upstream/call-upstream.ts";
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
  "Some changes of prices, and where to go on.",
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
    "Changes of what offers cost, newest first; with `since` or `after`, for syncing, in the order of the log, which is the order in which they were stored. As far back as the log is kept. Fewer than `limit` do not say that there are no more: `next` does.",
  cost: 3,
  input: zListPriceChangesInput,
  failures: [404],
  output: zListPriceChangesOutput,
  resolve: async ({ ctx, input: { region = "", since, after, limit } }) => {
    const start = startOf(since, after);
    const request = { region, pageSize: limit, ...(start && { start }) };
    const { changes, throughChangeId } = await callUpstream(
      ctx,
      "pricing.ListPriceChanges",
      (options) => ctx.clients.pricing.listPriceChanges(request, options),
    );
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
    "Server-Sent Events: every change of a price once, in the order of the log, within a second of being stored. The id of an event is that of the change, its data is the change as `listPriceChanges` shows it. An id without an event is a place in the log that the stream has passed. Comments between the events are signs of life, every few seconds. A client that comes back with `Last-Event-ID` misses nothing; when the gateway, or the client's address, has as many followers as it may, the answer is 503.",
  input: z.object({
    region: zRegion,
    after: zIdentifier(
      "Begin with what follows this change in the log, or the place that `next` of `listPriceChanges` named; what `Last-Event-ID` names counts more. Without either the stream begins with what is stored from now on. 404 when the log does not have it, or no longer all that follows it: begin anew.",
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

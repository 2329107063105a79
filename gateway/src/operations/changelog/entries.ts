import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListEntriesSinceRequestSchema } from "@storefront/contracts/changelog/v1/changelog_service";
import { z } from "zod";
import { withContexts, withDocuments } from "../../compose/enrich-changes.ts";
import { zChangelogEntry } from "../../records/changelog-entry.ts";
import { pagingShape, withinReach } from "../../schemas/paging.ts";
import { timestampOf, zIdentifier, zItemId, zTime } from "../../schemas/parameters.ts";
import { requireMember } from "../../upstream/upstream-error.ts";
import { noted } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";
import { stream } from "../rest-operation.ts";

export const getEntry = operation({
  path: "/changelist/{id}",
  operationId: "getEntry",
  tag: "changelog",
  summary: "Get a change",
  description: "One entry of the changelog.",
  input: z.object({ id: zIdentifier("Id of the change.", "catalog-000000000001f") }),
  failures: [404],
  output: zChangelogEntry,
  resolve: async ({ ctx, input }) => {
    const name = "changelog.GetEntry";
    const { entry } = await ctx.clients.changelog.getEntry(ctx, { entryId: input.id });
    const [enriched] = await withContexts(ctx, [requireMember(entry, name)]);
    return requireMember(enriched, name);
  },
});

const zListEntriesInput = z
  .object({
    since: zTime(
      "The list begins with the first change of the log whose timestamp is not before this time, and then follows the log: give the newest timestamp that you have, or better use `after`.",
    ).optional(),
    after: zIdentifier(
      "The list begins with the next change in the log. 404 when this one, or one before it, was undone since: restart without it.",
      "catalog-000000000001f",
    ).optional(),
    ...pagingShape(10, 50),
  })
  .check(withinReach)
  .refine(({ since, after }) => since === undefined || after === undefined, {
    path: ["after"],
    error: "must not be given together with since",
  });

type Start = MessageInitShape<typeof ListEntriesSinceRequestSchema>["start"];

export const listEntries = operation({
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
        ? await changelog.listEntries(ctx, paging)
        : await changelog.listEntriesSince(ctx, { start, ...paging });
    return await withContexts(ctx, entries);
  },
});

function startOf(since: string | undefined, after: string | undefined): Start {
  if (since !== undefined) return { case: "since", value: timestampOf(since) };
  return after === undefined ? undefined : { case: "afterEntryId", value: after };
}

export const listItemEntries = operation({
  path: "/items/{id}/changelog",
  operationId: "listItemEntries",
  tag: "changelog",
  summary: "List the changes of an item",
  description:
    "Changes of the item, of its assets and of the builds of its applications, newest first.",
  cost: 3,
  input: z.object({ id: zItemId, ...pagingShape(10, 50) }).check(withinReach),
  failures: [404],
  output: z.array(zChangelogEntry),
  resolve: async ({ ctx, input: { id, page, limit } }) => {
    const request = { scope: { case: "itemId", value: id }, page, pageSize: limit } as const;
    const [, { entries }] = await Promise.all([
      // Fails for an unknown item, which the changelog does not know.
      ctx.clients.catalog.getItem(ctx, { itemId: id }),
      ctx.clients.changelog.listEntries(ctx, request),
    ]);
    return await withDocuments(ctx, entries);
  },
});

export const watchEntries = stream({
  path: "/changelist/stream",
  operationId: "watchEntries",
  tag: "changelog",
  summary: "Follow the changes",
  description:
    "Server-Sent Events: every change once, in the order of the log, within a second of its commit. The id of an event is the change's, its data is the change as in the changelist. A new stream begins with the id of the last change, without an event. Comments are sent every few seconds as a heartbeat. A client that reconnects with `Last-Event-ID` misses nothing. 503 when the gateway, or the client's IP address, has the maximum number of streams.",
  input: z.object({
    after: zIdentifier(
      "Begin with the next change in the log; `Last-Event-ID` takes precedence. Without either the stream begins with the next stored change. 404 when this one, or one before it, was undone since: restart without it.",
      "catalog-000000000001f",
    ).optional(),
  }),
  failures: [404, 503],
  event: zChangelogEntry,
  open: async ({ ctx, hubs, input, lastEventId, signal }) =>
    await noted(ctx, "changelog.WatchEntries", () =>
      hubs.changelog.follow({ afterId: lastEventId ?? input.after, signal }),
    ),
});

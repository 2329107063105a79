import { z } from "zod";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { buildOf, zBuild } from "../../records/build.ts";
import { itemOf, itemSummaryOf, zItem, zItemSummary } from "../../records/item.ts";
import { zCount, zList, zObject } from "../../records/members.ts";
import { zOffer } from "../../records/offer.ts";
import { pageEchoShape, pagingShape, withinReach } from "../../schemas/paging.ts";
import { zItemId, zLocale } from "../../schemas/parameters.ts";
import { requireMember } from "../../upstream/upstream-error.ts";
import { operation } from "../operation.ts";

export const getItem = operation({
  path: "/items/{id}",
  operationId: "getItem",
  tag: "items",
  summary: "Get an item",
  description: "One catalog item with all its members.",
  input: z.object({ id: zItemId }),
  failures: [404],
  output: zItem,
  resolve: async ({ ctx, input: { id } }) => {
    const { item } = await ctx.clients.catalog.getItem(ctx, { itemId: id });
    return itemOf(requireMember(item, "catalog.GetItem"));
  },
});

export const listItems = operation({
  path: "/items",
  operationId: "listItems",
  tag: "items",
  summary: "List all items",
  description: "Catalog items, newest `lastModifiedDate` first.",
  cost: 3,
  input: z.object(pagingShape(10, 50)).check(withinReach),
  output: zObject("ItemPage", "A page of items, newest change first.", {
    elements: zList(zItemSummary, "The items of the page."),
    ...pageEchoShape,
    total: zCount("Number of items on all pages.", 1042),
  }),
  resolve: async ({ ctx, input: { page, limit } }) => {
    const { items, totalSize } = await ctx.clients.catalog.listItems(ctx, {
      page,
      pageSize: limit,
    });
    return { elements: items.map(itemSummaryOf), page, limit, total: Number(totalSize) };
  },
});

export const listItemBuilds = operation({
  path: "/items/{id}/builds",
  operationId: "listItemBuilds",
  tag: "items",
  summary: "List the builds of an item",
  description: "Builds of the item's applications, newest `updatedAt` first, at most 1,000.",
  cost: 3,
  input: z.object({ id: zItemId }),
  failures: [404],
  output: z.array(zBuild),
  resolve: async ({ ctx, input: { id } }) => {
    const { builds, item } = await ctx.clients.catalog.listItemBuilds(ctx, { itemId: id });
    const summary = itemSummaryOf(requireMember(item, "catalog.ListItemBuilds"));
    return builds.map((build) => buildOf(build, summary));
  },
});

export const getItemOffer = operation({
  path: "/items/{id}/offer",
  operationId: "getItemOffer",
  tag: "items",
  summary: "Get the offer of an item",
  description:
    "The offer that best stands for an item: not pre-purchase before pre-purchase, then by type, then the earliest made; without a price.",
  input: z.object({ id: zItemId, locale: zLocale }),
  failures: [404],
  output: zOffer,
  resolve: async ({ ctx, input: { id, locale } }) => {
    const request = { itemId: id, locale: requestLocale(locale) };
    const { offer, text } = await ctx.clients.catalog.getItemOffer(ctx, request);
    return localiseOffer({ offer: requireMember(offer, "catalog.GetItemOffer"), text }, locale);
  },
});

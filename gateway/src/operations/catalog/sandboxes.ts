import { z } from "zod";
import { localiseOffer, requestLocale } from "../../compose/localise-offer.ts";
import { zCount, zList, zObject } from "../../records/members.ts";
import { zOffer } from "../../records/offer.ts";
import { sandboxAssetOf, sandboxOf, zSandbox, zSandboxAsset } from "../../records/sandbox.ts";
import {
  listingRequest,
  listingShape,
  nextOf,
  pageEchoShape,
  pagingShape,
  withinReach,
  zNext,
} from "../../schemas/paging.ts";
import { commaList, zCommaList, zSandboxId, zLocale, zTextUpTo } from "../../schemas/parameters.ts";
import { requireMember } from "../../upstream/upstream-error.ts";
import { foundOffers } from "../../upstream/clients.ts";
import { operation } from "../operation.ts";

export const getSandbox = operation({
  path: "/sandboxes/{sandboxId}",
  operationId: "getSandbox",
  tag: "sandboxes",
  summary: "Get a sandbox",
  description: "One sandbox by its namespace or sandbox id.",
  input: z.object({ sandboxId: zSandboxId }),
  failures: [404],
  output: zSandbox,
  resolve: async ({ ctx, input: { sandboxId } }) => {
    const { sandbox } = await ctx.clients.catalog.getSandbox(ctx, { sandboxId });
    return sandboxOf(requireMember(sandbox, "catalog.GetSandbox"));
  },
});

export const listSandboxes = operation({
  path: "/sandboxes",
  operationId: "listSandboxes",
  tag: "sandboxes",
  summary: "List sandboxes",
  description: "All sandboxes by id, in parts.",
  cost: 3,
  input: z.object(listingShape),
  output: zObject("SandboxListing", "A part of all sandboxes.", {
    sandboxes: zList(zSandbox, "By id."),
    next: zNext,
  }),
  resolve: async ({ ctx, input }) => {
    const { sandboxes, hasMore } = await ctx.clients.catalog.listSandboxes(
      ctx,
      listingRequest(input),
    );
    return { sandboxes: sandboxes.map(sandboxOf), next: nextOf(sandboxes.at(-1), hasMore) };
  },
});

const zListSandboxAssetsInput = z
  .object({
    sandboxId: zSandboxId,
    platform: zCommaList(
      "Only assets of these platforms: separated by commas, any case.",
      "Windows,Mac",
    ),
    ...pagingShape(10, 100),
  })
  .check(withinReach);

const zListSandboxAssetsOutput = zObject(
  "SandboxAssetPage",
  "A page of assets, newest change first.",
  {
    elements: zList(zSandboxAsset, "The assets of the page."),
    ...pageEchoShape,
    count: zCount("Number of matching assets on all pages.", 3),
  },
);

export const listSandboxAssets = operation({
  path: "/sandboxes/{sandboxId}/assets",
  operationId: "listSandboxAssets",
  tag: "sandboxes",
  summary: "List the assets of a sandbox",
  description: "Installable artifacts of a sandbox, newest `updatedAt` first.",
  cost: 3,
  input: zListSandboxAssetsInput,
  failures: [404],
  output: zListSandboxAssetsOutput,
  resolve: async ({ ctx, input: { sandboxId, platform, page, limit } }) => {
    const request = { sandboxId, platforms: commaList(platform), page, pageSize: limit };
    const { assets, totalSize } = await ctx.clients.catalog.listSandboxAssets(ctx, request);
    return { elements: assets.map(sandboxAssetOf), page, limit, count: Number(totalSize) };
  },
});

const zListSandboxOffersInput = z
  .object({
    sandboxId: zSandboxId,
    offerType: zCommaList("Only offers of these types: separated by commas.", "BASE_GAME,DLC"),
    title: zTextUpTo(512)
      .meta({
        description: "Only offers whose canonical title contains this text, any case.",
        example: "harbour",
      })
      .optional(),
    locale: zLocale,
    ...pagingShape(10, 100),
  })
  .check(withinReach);

const zListSandboxOffersOutput = zObject(
  "SandboxOfferPage",
  "A page of offers, newest change first.",
  {
    elements: zList(zOffer, "The offers of the page, without prices."),
    ...pageEchoShape,
    count: zCount("Number of matching offers on all pages.", 7),
  },
);

export const listSandboxOffers = operation({
  path: "/sandboxes/{sandboxId}/offers",
  operationId: "listSandboxOffers",
  tag: "sandboxes",
  summary: "List the offers of a sandbox",
  description: "Store listings of a sandbox, newest `lastModifiedDate` first, without prices.",
  cost: 3,
  input: zListSandboxOffersInput,
  failures: [404],
  output: zListSandboxOffersOutput,
  resolve: async ({ ctx, input: { sandboxId, offerType, title = "", locale, page, limit } }) => {
    const request = {
      sandboxId,
      offerTypes: commaList(offerType),
      title,
      locale: requestLocale(locale),
      page,
      pageSize: limit,
    };
    const { offers, texts, totalSize } = await ctx.clients.catalog.listSandboxOffers(ctx, request);
    return {
      elements: foundOffers(offers, texts).map((found) => localiseOffer(found, locale)),
      page,
      limit,
      count: Number(totalSize),
    };
  },
});

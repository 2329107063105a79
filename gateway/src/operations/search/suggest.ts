import { SuggestionKind } from "@storefront/contracts/search/v1/search_service";
import { z } from "zod";
import { zList, zObject, zString } from "../../records/members.ts";
import { zTextUpTo, zWholeNumber } from "../../schemas/parameters.ts";
import { operation } from "../operation.ts";

const kinds = {
  [SuggestionKind.TITLE]: "title",
  [SuggestionKind.SELLER]: "seller",
  [SuggestionKind.TAG]: "tag",
  [SuggestionKind.CORRECTION]: "correction",
} as const;

const kindOf = new Map(Object.entries(kinds).map(([key, name]) => [Number(key), name]));

export const suggest = operation({
  path: "/search/suggest",
  operationId: "suggest",
  tag: "search",
  summary: "Suggest searches",
  description:
    "What may be meant by the beginning of a search: the typed words without mistakes, titles of offers, best first, then sellers and tags.",
  cost: 10,
  input: z.object({
    query: zTextUpTo(512)
      .meta({
        description: "What was typed; nothing is suggested without it.",
        example: "moonlit harb",
      })
      .default(""),
    limit: zWholeNumber(1, 20).default(8).meta({ description: "Most suggestions.", example: 8 }),
  }),
  output: zObject("Suggestions", "Suggestions for a search box.", {
    suggestions: zList(
      zObject("Suggestion", "What may be searched for.", {
        text: zString("The text.", "Moonlit Harbour"),
        offerId: zString("The offer of a title.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b").optional(),
        id: zString("Of a seller or tag: what filters take.", "1216").optional(),
        kind: z.enum(Object.values(kinds)).meta({ description: "What it is.", example: "title" }),
      }),
      "In this order: a correction, titles, sellers, tags.",
    ),
  }),
  resolve: async ({ ctx, input: { query, limit } }) => {
    const { suggestions } = await ctx.clients.search.suggest(ctx, { text: query, pageSize: limit });
    return {
      suggestions: suggestions.flatMap(({ text, offerId, id, kind: value }) => {
        const kind = kindOf.get(value);
        if (kind === undefined) return [];
        const ids = { ...(offerId !== undefined && { offerId }), ...(id !== undefined && { id }) };
        return [{ text, ...ids, kind }];
      }),
    };
  },
});

import { z } from "zod";
import type { Tag } from "@storefront/contracts/catalog/v1/tag";
import type { TagCount } from "@storefront/contracts/search/v1/search_service";
import { zCount, zList, zObject, zString, zText } from "../../records/members.ts";
import { pageEchoShape, pagingShape, withinReach } from "../../schemas/paging.ts";
import { zTrimmedText } from "../../schemas/parameters.ts";
import { operation } from "../operation.ts";

const zListedTag = zObject("ListedTag", "A tag and how many offers have it.", {
  id: zString("What the filter `tags` takes.", "1106"),
  name: zText(
    "Of the tag's record, otherwise what most of its offers call it; null when neither has one.",
    "Competitive",
  ),
  groupName: zText("Group of the tag's record; null without a record.", "feature"),
  offers: zCount("Number of offers.", 115),
});

type ListedTag = z.output<typeof zListedTag>;

export const listTags = operation({
  path: "/tags",
  operationId: "listTags",
  tag: "search",
  summary: "List the tags of offers",
  description: "All tags that have a record or an offer, most offers first, then by id.",
  cost: 40,
  input: z.object({}),
  output: zObject("TagList", "The tags.", {
    tags: zList(zListedTag, "Most offers first, then by id."),
  }),
  resolve: async ({ ctx }) => {
    const [{ tags: records }, { tags: counts }] = await Promise.all([
      ctx.clients.catalog.listTags(ctx, {}),
      ctx.clients.search.countOffersByTag(ctx, {}),
    ]);
    return { tags: listedTags(records, counts) };
  },
});

/** @param counts most offers first, then by id */
function listedTags(records: readonly Tag[], counts: readonly TagCount[]): ListedTag[] {
  const recordOf = new Map(records.map((record) => [record.id, record]));
  const counted = new Set(counts.map(({ tagId }) => tagId));
  const unused = records.filter(({ id }) => !counted.has(id));
  return [
    ...counts.map(({ tagId, name, offerCount }) => {
      const record = recordOf.get(tagId);
      return {
        id: tagId,
        name: record?.name ?? name ?? null,
        groupName: record?.groupName ?? null,
        offers: Number(offerCount),
      };
    }),
    ...unused.map(({ id, name, groupName }) => ({
      id,
      name: name ?? null,
      groupName: groupName ?? null,
      offers: 0,
    })),
  ];
}

export const listSellers = operation({
  path: "/sellers",
  operationId: "listSellers",
  tag: "search",
  summary: "List the sellers of offers",
  description: "Sellers by name and id, most offers first, then by name.",
  cost: 40,
  input: z
    .object({
      query: zTrimmedText("text", 100, {
        description: "Only sellers whose name contains it, by the rule of `facetQuery`.",
        example: "harb",
      }).optional(),
      ...pagingShape(20, 100),
    })
    .check(withinReach),
  output: zObject("SellerPage", "A page of sellers.", {
    sellers: zList(
      zObject("ListedSeller", "A seller and how many offers it sells.", {
        id: zText(
          "What the filter `seller` takes; null for a seller without an id.",
          "o-7f3k2m9q4w",
        ),
        name: zString("The name.", "Harbour Light Publishing"),
        offers: zCount("Number of offers.", 17),
      }),
      "Those of the page.",
    ),
    ...pageEchoShape,
    total: zCount("Number of sellers on all pages.", 42),
  }),
  resolve: async ({ ctx, input: { query: text = "", page, limit } }) => {
    const { sellers, totalSize } = await ctx.clients.search.listSellers(ctx, {
      text,
      page,
      pageSize: limit,
    });
    return {
      sellers: sellers.map(({ key, id, count }) => ({
        id: id ?? null,
        name: key,
        offers: Number(count),
      })),
      page,
      limit,
      total: Number(totalSize),
    };
  },
});

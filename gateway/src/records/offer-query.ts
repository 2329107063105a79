import { isFieldSet } from "@bufbuild/protobuf";
import type { Message, MessageInitShape } from "@bufbuild/protobuf";
import {
  LowWindow,
  OfferQuerySchema,
  OfferSort,
  SortDirection,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery, PriceRange } from "@storefront/contracts/search/v1/offer_query";
import { z } from "zod";
import { zOneOf } from "../schemas/parameters.ts";
import { zObject } from "./members.ts";
import { offerFilterShape, windows, zFilterList } from "./offer-filters.ts";
import type { Mapped } from "./mapped-fields.ts";

/** Sorts by their names in the search service. */
const sorts = {
  RELEASE_DATE: "releaseDate",
  LAST_MODIFIED_DATE: "lastModifiedDate",
  EFFECTIVE_DATE: "effectiveDate",
  CREATION_DATE: "creationDate",
  VIEWABLE_DATE: "viewableDate",
  PC_RELEASE_DATE: "pcReleaseDate",
  UPCOMING: "upcoming",
  PRICE_ASC: "priceAsc",
  PRICE_DESC: "priceDesc",
  PRICE: "price",
  DISCOUNT: "discount",
  DISCOUNT_PERCENT: "discountPercent",
  PRICE_UPDATED_AT: "priceUpdatedAt",
  GIVEAWAY_DATE: "giveawayDate",
  LOWEST_FOR: "lowestFor",
  RATING: "rating",
} as const satisfies Readonly<Record<Exclude<keyof typeof OfferSort, "UNSPECIFIED">, string>>;

export const sortFields = Object.values(sorts);

/** Members of a search's body that say in which order. */
export const offerOrderShape = {
  sortBy: zOneOf(sortFields).optional().meta({
    example: "priceAsc",
    description:
      "Without it, relevance when there is a `title`, else `lastModifiedDate`. A missing value is last in both directions. `priceAsc` and `priceDesc` disregard `sortDir`; `releaseDate`, `upcoming`, `giveawayDate` and `lowestFor` narrow what is found. `rating` is the mean of the offer's ratings and of five more, each of which is the mean of all ratings.",
  }),
  sortDir: zOneOf(["asc", "desc"]).optional().meta({
    example: "desc",
    description:
      "Default `desc`; for `upcoming` that is nearest first, for `lowestFor` longest first.",
  }),
};

/** Members of a search's body that say what to find and in which order. */
export const offerQueryShape = { ...offerFilterShape, ...offerOrderShape };

const zOfferQuery = z.object(offerQueryShape);

type OfferQueryBody = z.output<typeof zOfferQuery>;

export const zSavedQuery = zObject(
  "SavedQuery",
  "A search's body in its canonical form: lists are sorted and without duplicates, what is the default is absent.",
  {
    ...offerQueryShape,
    offerType: zFilterList("Any of these types.", ["BASE_GAME", "DLC"]).optional(),
  },
);

type SavedQuery = z.output<typeof zSavedQuery>;

const [sortByName, nameBySort] = mapsOf(sorts, OfferSort);
const [windowByName, nameByWindow] = mapsOf(windows, LowWindow);

/** Members that have the same name in the search service. */
type SameNamed = Omit<
  OfferQueryBody,
  "offerType" | "tags" | "seller" | "price" | "lowestPriceOf" | "sortBy" | "sortDir"
>;

/** A search's body as a message. */
export function offerQueryOf(body: OfferQueryBody): MessageInitShape<typeof OfferQuerySchema> {
  const { offerType = [], tags = [], seller, price, sortBy, sortDir, ...rest } = body;
  const { lowestPriceOf, ...others } = rest;
  const sameNamed: Partial<Pick<OfferQuery, keyof SameNamed>> = known(others);
  return {
    ...sameNamed,
    offerTypes: typeof offerType === "string" ? [offerType] : offerType,
    tagIds: tags,
    technologies: [...new Set(body.technologies)],
    ...known({
      sellerId: seller,
      price: price && known({ min: bigintOf(price.min), max: bigintOf(price.max) }),
    }),
    lowestPriceOf: windowByName.get(lowestPriceOf) ?? LowWindow.UNSPECIFIED,
    sort: sortByName.get(sortBy) ?? OfferSort.UNSPECIFIED,
    direction: sortDir === "asc" ? SortDirection.ASC : SortDirection.DESC,
  };
}

type ShownQuery = Mapped<
  SavedQuery,
  OfferQuery,
  "offerTypes" | "tagIds" | "sellerId" | "sort" | "direction"
>;

/** A canonical query as a body, without defaults. */
export function savedQueryOf(query: OfferQuery): ShownQuery {
  const { offerTypes, tagIds, sellerId, price, sort, direction, ...rest } = membersOf(query);
  const { lowestPriceOf, ...sameNamed } = rest;
  return known({
    ...sameNamed,
    lowestPriceOf: nameByWindow.get(lowestPriceOf),
    offerType: offerTypes,
    tags: tagIds,
    seller: sellerId,
    price: price && boundsOf(price),
    sortBy: nameBySort.get(sort),
    sortDir: direction === SortDirection.ASC ? ("asc" as const) : undefined,
  });
}

/** The members of a query that are set. */
function membersOf(query: OfferQuery): Partial<Omit<OfferQuery, keyof Message>> {
  const names = OfferQuerySchema.fields
    .filter((field) => isFieldSet(query, field))
    .map(({ localName }) => localName as keyof OfferQuery);
  return Object.fromEntries(names.map((name) => [name, query[name]]));
}

function boundsOf({ min, max }: PriceRange): NonNullable<SavedQuery["price"]> {
  return known({
    min: min === undefined ? undefined : Number(min),
    max: max === undefined ? undefined : Number(max),
  });
}

/** An enum's values by the names in a body, and the other way round. */
function mapsOf<Key extends string, Name, Values extends Readonly<Record<Key, number>>>(
  names: Readonly<Record<Key, Name>>,
  values: Values,
): [ReadonlyMap<Name | undefined, Values[Key]>, ReadonlyMap<number | undefined, Name>] {
  const keys = Object.keys(names) as Key[];
  return [
    new Map(keys.map((key) => [names[key], values[key]])),
    new Map(keys.map((key) => [values[key], names[key]])),
  ];
}

function bigintOf(amount: number | undefined): bigint | undefined {
  return amount === undefined ? undefined : BigInt(amount);
}

/** The members that are not undefined. */
function known<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}

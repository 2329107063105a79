import { isFieldSet } from "@bufbuild/protobuf";
import type { Message, MessageInitShape } from "@bufbuild/protobuf";
import {
  LowWindow,
  OfferQuerySchema,
  OfferSort,
  SortDirection,
} from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery, PriceRange } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQueryBody, SavedQuery, SortField } from "../schemas/offer-query.ts";
import { sorts, windows } from "../schemas/search-fields.ts";
import type { Shows } from "./shows.ts";

const sortOf = new Map<SortField | undefined, OfferSort>();
const fieldOf = new Map<OfferSort | undefined, SortField>();
for (const name of Object.keys(sorts) as (keyof typeof sorts)[]) {
  sortOf.set(sorts[name], OfferSort[name]);
  fieldOf.set(OfferSort[name], sorts[name]);
}

type LowName = (typeof windows)[keyof typeof windows];

const windowOf = new Map<LowName | undefined, LowWindow>();
const lowOf = new Map<LowWindow | undefined, LowName>();
for (const name of Object.keys(windows) as (keyof typeof windows)[]) {
  windowOf.set(windows[name], LowWindow[name]);
  lowOf.set(LowWindow[name], windows[name]);
}

/** Members that the search service names alike. */
type Alike = Omit<
  OfferQueryBody,
  "offerType" | "tags" | "seller" | "price" | "lowestPriceOf" | "sortBy" | "sortDir"
>;

/** A search's body as the search service takes it. */
export function offerQueryOf(body: OfferQueryBody): MessageInitShape<typeof OfferQuerySchema> {
  const { offerType = [], tags = [], seller, price, sortBy, sortDir, ...rest } = body;
  const { lowestPriceOf, ...others } = rest;
  const alike: Partial<Pick<OfferQuery, keyof Alike>> = known(others);
  return {
    ...alike,
    offerTypes: typeof offerType === "string" ? [offerType] : offerType,
    tagIds: tags,
    technologies: [...new Set(body.technologies)],
    ...known({
      sellerId: seller,
      price: price && known({ min: bigintOf(price.min), max: bigintOf(price.max) }),
    }),
    lowestPriceOf: windowOf.get(lowestPriceOf) ?? LowWindow.UNSPECIFIED,
    sort: sortOf.get(sortBy) ?? OfferSort.UNSPECIFIED,
    direction: sortDir === "asc" ? SortDirection.ASC : SortDirection.DESC,
  };
}

/** All that a query asks for. */
type ShownQuery = Shows<
  SavedQuery,
  OfferQuery,
  "offerTypes" | "tagIds" | "sellerId" | "sort" | "direction"
>;

/** A canonical query as a search's body, without what is the default. */
export function savedQueryOf(query: OfferQuery): ShownQuery {
  const { offerTypes, tagIds, sellerId, price, sort, direction, ...rest } = membersOf(query);
  const { lowestPriceOf, ...alike } = rest;
  return known({
    ...alike,
    lowestPriceOf: lowOf.get(lowestPriceOf),
    offerType: offerTypes,
    tags: tagIds,
    seller: sellerId,
    price: price && boundsOf(price),
    sortBy: fieldOf.get(sort),
    sortDir: direction === SortDirection.ASC ? ("asc" as const) : undefined,
  });
}

/** The members of a query that are not as in one that asks for everything. */
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

import type {
  OfferQuery,
  OfferSort,
  OfferAggregation,
} from "@storefront/contracts/search/v1/offer_query";
import type { CountMember } from "./field-types.ts";
import type { flagFields, integerFields, sortFields, termFields } from "./offer-fields.ts";

type TermTable = typeof termFields;
type FlagTable = typeof flagFields;
type IntegerTable = typeof integerFields;

export type TermName = keyof TermTable;
export type TermKind = TermTable[TermName]["kind"] | "flag";
export type IntegerName = keyof IntegerTable;

/** The fields of an offer. */
export type FieldValues = {
  readonly [Name in TermName]: TermTable[Name] extends { isList: true }
    ? readonly string[]
    : string | undefined;
} & { readonly [Name in keyof FlagTable]: boolean } & {
  readonly [Name in IntegerName]: number | undefined;
};

/** What is told by the rows of a table; does not compile while one of what the contract asks for has no row. */
type Answering<Asked extends Rows, Rows, Told = Asked> = Told;

/** The values of an enum but for some. */
type ValueOf<Enum, Other extends keyof Enum> = Enum[Exclude<keyof Enum, Other>];

type FilterOf<Row> = Row extends { filter: { asked: infer Asked } } ? Asked : never;
type CountOf<Row> = Row extends { count: infer Count } ? Count : never;
type Counted = CountOf<TermTable[TermName]>;

/** Members of a query that fields answer; the others are about its text, its order, prices and giveaways. */
export type FilterMember = Answering<
  Exclude<
    keyof OfferQuery,
    | "$typeName"
    | "$unknown"
    | "title"
    | "price"
    | "onSale"
    | "isLowestPrice"
    | "lowestPriceOf"
    | "pastGiveaways"
    | "sort"
    | "direction"
  >,
  FilterOf<TermTable[TermName] | FlagTable[keyof FlagTable]>
>;

/** Counts by value. */
export type CountName = Answering<
  ValueOf<typeof OfferAggregation, "UNSPECIFIED" | "NONE" | "PRICE_STATS">,
  Counted["asked"],
  Answering<CountMember, Counted["as"]>
>;

/** Orders that have a name. */
export type SortName = Answering<
  ValueOf<typeof OfferSort, "UNSPECIFIED">,
  (typeof sortFields)[keyof typeof sortFields]["asked"],
  keyof typeof sortFields
>;

import type { CatalogInputs as Inputs, CatalogOutputs as Outputs } from "@storefront/client";

export type SearchInput = Exclude<Inputs["search"]["searchOffers"], void>;
type SearchAnswer = Outputs["search"]["searchOffers"];
export type Aggregations = SearchAnswer["aggregations"];
export type PricedOffer = SearchAnswer["offers"][number];
export type Overview = Outputs["catalog"]["getOfferOverview"];
export type Offer = Overview["offer"];
export type PricePoint = Outputs["pricing"]["getPrice"];
export type RegionalPrice = Outputs["pricing"]["listOfferPrices"]["prices"][number];
export type PriceLows = NonNullable<PricePoint["lows"]>;
export type PriceLow = NonNullable<PriceLows["ever"]>;
export type Region = Outputs["pricing"]["listRegions"][number];
export type Review = Outputs["reviews"]["listReviews"]["elements"][number];
export type Entry = Outputs["changelog"]["listEntries"][number];
export type Change = Entry["metadata"]["changes"][number];
export type Health = Outputs["health"]["checkHealth"];
export type KeyImage = Offer["keyImages"][number];
export type SortField = NonNullable<SearchInput["sortBy"]>;

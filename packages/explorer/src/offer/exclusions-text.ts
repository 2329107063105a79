import type { PriceLows } from "../api/types.ts";

type Exclusion = PriceLows["exclusions"][number];

const names: Readonly<Record<Exclusion, string>> = {
  giveaway: "giveaways",
  beforeRelease: "prices before the release",
  otherCurrency: "prices in another currency",
};

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** What lows leave out, such as "giveaways and prices before the release". */
export function exclusionsText(exclusions: readonly Exclusion[]): string {
  return list.format(exclusions.map((exclusion) => names[exclusion]));
}

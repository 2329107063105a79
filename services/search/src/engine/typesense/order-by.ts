import type { Region } from "@storefront/identifiers";
import { isRegion } from "@storefront/regions";
import type { IntegerName } from "../../domain/field-names.ts";
import type { SortField } from "../../domain/field-types.ts";
import { sortFields } from "../../domain/offer-fields.ts";
import { integerColumns } from "../column-names.ts";
import { isReversed } from "../offer-search.ts";
import type { OfferOrder, OfferSortKey } from "../offer-search.ts";
import { priceFields } from "./collections.ts";

const priceKeys: Readonly<Partial<Record<OfferSortKey, keyof ReturnType<typeof priceFields>>>> = {
  price: "price",
  discount: "discount",
  discountPercent: "percent",
  priceUpdatedAt: "updated",
  lowestFor: "lowestSince",
};

/**
 * `sort_by` of an order: its key, then how well the text matches, then what settles every tie. The
 * server takes three keys, so the type's rank, the title's length and the id are one.
 *
 * @param relevance an `_eval(…)`; undefined without a text.
 */
export function sortBy(order: OfferOrder, region: Region, relevance: string | undefined): string {
  const field = fieldOf(order.key, region);
  const isUp = isReversed(order.key) ? !order.isAscending : order.isAscending;
  return [
    ...(field === undefined ? [] : [`${field}(missing_values: last):${isUp ? "asc" : "desc"}`]),
    ...(relevance === undefined ? ["id_order:asc"] : [`${relevance}:desc`, "text_order:asc"]),
  ].join(",");
}

function fieldOf(key: OfferSortKey, region: Region): string | undefined {
  if (key === "relevance") return undefined;
  const { by }: SortField<IntegerName> = sortFields[key];
  if (by !== undefined) return integerColumns.get(by);
  const priceKey = priceKeys[key];
  return priceKey && isRegion(region) ? priceFields(region)[priceKey] : undefined;
}

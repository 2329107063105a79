import type { Region } from "@storefront/identifiers";
import { isRegion } from "@storefront/regions";
import type { IntegerName } from "../../domain/offer-fields.ts";
import type { SortField } from "../../domain/field-types.ts";
import { sortFields } from "../../domain/offer-fields.ts";
import { integerColumns } from "../column-names.ts";
import { isReversed } from "../offer-search.ts";
import type { OfferOrder, OfferSortKey } from "../offer-search.ts";
import { orderFields, priceFields } from "./collections.ts";

const maxKeys = 3;

const priceKeys: Readonly<Partial<Record<OfferSortKey, keyof ReturnType<typeof priceFields>>>> = {
  price: "price",
  discount: "discount",
  discountPercent: "percent",
  priceUpdatedAt: "updated",
  lowestFor: "lowestSince",
};

/**
 * `sort_by` of an order: its key, then how well the text matches, then what settles ties. The server takes
 * three keys: with a text and another order few offers are left alike by the first of the id's.
 */
export function sortBy(order: OfferOrder, region: Region, text: string | undefined): string {
  const field = fieldOf(order.key, region);
  const isUp = isReversed(order.key) ? !order.isAscending : order.isAscending;
  const keys = [
    ...(field === undefined ? [] : [`${field}(missing_values: last):${isUp ? "asc" : "desc"}`]),
    ...(text === undefined ? [] : ["_text_match:desc"]),
    ...(order.key === "relevance" ? [`${orderFields.text}:asc`] : []),
    ...orderFields.id.map((name) => `${name}:asc`),
  ];
  return keys.slice(0, maxKeys).join(",");
}

function fieldOf(key: OfferSortKey, region: Region): string | undefined {
  if (key === "relevance") return undefined;
  const { by }: SortField<IntegerName> = sortFields[key];
  if (by !== undefined) return integerColumns.get(by);
  const priceKey = priceKeys[key];
  return priceKey && isRegion(region) ? priceFields(region)[priceKey] : undefined;
}

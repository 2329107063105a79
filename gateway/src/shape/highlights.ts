import type { OfferHighlights } from "@storefront/contracts/search/v1/search_service";
import type { Highlights } from "../schemas/offer-search.ts";
import type { Offer } from "../schemas/offer.ts";
import type { Shows } from "./shows.ts";

/**
 * Highlights of the texts that an offer shows. One of another text is left out: the text of a locale is shown instead
 * of the canonical one that was searched, or the text has changed since it was indexed.
 */
export function highlightsOf(
  { title, description }: OfferHighlights,
  shown: Pick<Offer, "title" | "description">,
): Shows<Highlights, OfferHighlights, "offerId"> {
  const isTitle = title !== undefined && textOf(title) === shown.title;
  const isWithin = description !== undefined && shown.description?.includes(textOf(description));
  return { ...(isTitle && { title }), ...(isWithin && { description }) };
}

const signs: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function textOf(html: string): string {
  return html
    .replaceAll(/<\/?mark>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => signs[entity] ?? entity);
}

import type { OfferHighlights } from "@storefront/contracts/search/v1/search_service";
import { z } from "zod";
import { zObject } from "./members.ts";
import { zPricedOffer } from "./offer.ts";
import type { Offer } from "./offer.ts";
import type { Mapped } from "./mapped-fields.ts";

const zHighlights = zObject(
  "Highlights",
  "What the words of a search matched in an offer, as HTML: escaped text with each match in a `mark` element.",
  {
    title: z.string().optional().meta({
      description: "The title; absent when nothing in it matched, or another one is shown.",
      example: "<mark>Moonlit</mark> <mark>Harbour</mark>",
    }),
    description: z.string().optional().meta({
      description:
        "At most 200 characters of the description, where most matched; absent when nothing in it matched, or another one is shown.",
      example: "A calm game about running a <mark>harbour</mark>.",
    }),
  },
);

type Highlights = z.output<typeof zHighlights>;

export const zFoundOffer = zPricedOffer
  .extend({
    highlights: zHighlights.optional().meta({
      description: "Only with `highlight`, in a search by `title`.",
    }),
  })
  .meta({ id: "FoundOffer", description: "A found offer with its price in one region." });

export type FoundOffer = z.output<typeof zFoundOffer>;

/**
 * Highlights of the texts that an offer shows. One of another text is left out: the offer shows a locale's text
 * instead of the canonical one that was searched, or the text has changed since it was indexed.
 */
export function highlightsOf(
  { title, description }: OfferHighlights,
  shown: Pick<Offer, "title" | "description">,
): Mapped<Highlights, OfferHighlights, "offerId"> {
  const isTitle = title !== undefined && textOf(title) === shown.title;
  const isWithin = description !== undefined && shown.description?.includes(textOf(description));
  return { ...(isTitle && { title }), ...(isWithin && { description }) };
}

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function textOf(html: string): string {
  return html
    .replaceAll(/<\/?mark>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity);
}

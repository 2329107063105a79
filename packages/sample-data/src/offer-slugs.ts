import type { Random } from "./random.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import type { Slot } from "./slots.ts";
import { slugify } from "./slug.ts";

/**
 * Addresses of an offer's page: a game's `productSlug` with or without `/home`, what belongs to a
 * game under its slug, a pre-purchase with the same slug as its game, some by mapping only.
 */
export function createSlugs(random: Random, { game }: Sandbox, slot: Slot) {
  const shortId = slot.offerId.slice(0, 6);
  const urlSlug = random.chance(0.6) ? `${game.slug}-${shortId}` : slot.offerId;
  if (slot.role === "baseGame" || slot.role === "prePurchase") {
    const productSlug = random.chance(0.5) ? `${game.slug}/home` : game.slug;
    return {
      productSlug: random.chance(0.9) ? productSlug : null,
      urlSlug,
      offerMappings: [{ pageSlug: `${game.slug}-${shortId}`, pageType: "productHome" }],
    };
  }
  if (slot.role === "consumable" || slot.role === "currency" || slot.role === "wrapper")
    return { productSlug: null, urlSlug: random.chance(0.3) ? urlSlug : null, offerMappings: [] };
  const ownSlug = slugify(slot.title.replace(game.title, "")) || shortId;
  const pageSlug = `${game.slug}--${ownSlug}`;
  return {
    productSlug: random.chance(0.7) ? `${game.slug}/${ownSlug}` : null,
    urlSlug: pageSlug,
    offerMappings: random.chance(0.7) ? [{ pageSlug, pageType: "offer" }] : [],
  };
}

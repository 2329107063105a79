import { isLongerThan } from "@storefront/rpc";

/** The members of an offer that slugs are found by. */
export interface SluggedOffer {
  prePurchase?: boolean | undefined;
  productSlug?: string | undefined;
  urlSlug?: string | undefined;
  /** Page slugs of the offer's mappings. */
  pageSlugs: readonly string[];
}

const homeSuffix = "/home";
/** Code points of the longest slug that can be requested; a longer key would not fit into the index either. */
const maxSlugLength = 512;

/**
 * Every slug that finds the offer, each once: its own ones, and those that become one of them with
 * `/home` appended. A pre-purchase offer is found by none; the empty slug and slugs of more than 512
 * characters find nothing.
 */
export function slugKeys(offer: SluggedOffer): string[] {
  if (offer.prePurchase === true) return [];
  const slugs = [offer.productSlug, offer.urlSlug, ...offer.pageSlugs].filter(
    (slug) => slug !== undefined,
  );
  const withoutHome = slugs
    .filter((slug) => slug.endsWith(homeSuffix))
    .map((slug) => slug.slice(0, -homeSuffix.length));
  return [...new Set([...slugs, ...withoutHome])].filter(isFindable);
}

function isFindable(slug: string): boolean {
  return slug !== "" && !isLongerThan(slug, maxSlugLength);
}

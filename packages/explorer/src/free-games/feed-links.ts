import type { Locale } from "@storefront/identifiers";
import type { Platform } from "./free-games-params.ts";

/** A feed to subscribe to. */
interface FeedLink {
  name: string;
  href: string;
}

/**
 * The feeds of the giveaways on a platform, or on all, in a locale.
 *
 * @param host of the gateway, with its port: calendars are subscribed to by `webcal:`, which has no relative form
 */
export function feedLinksOf(
  platform: Platform | undefined,
  locale: Locale,
  host: string,
): readonly FeedLink[] {
  const query = new URLSearchParams({ ...(platform && { platform }), locale }).toString();
  const path = (name: string) => `/free-games/${name}?${query}`;
  return [
    { name: "Calendar", href: `webcal://${host}${path("feed.ics")}` },
    { name: "Calendar file", href: path("feed.ics") },
    { name: "Atom", href: path("feed.atom") },
    { name: "JSON Feed", href: path("feed.json") },
  ];
}

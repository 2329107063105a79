import type { Locale } from "@storefront/domain/identifiers";
import { CalendarPlus, Rss } from "lucide-react";
import { useSettings } from "../layout/use-settings.ts";
import type { Platform } from "./free-games-params.ts";

/** Leads to the feeds of the giveaways on a platform, or on all. */
export function SubscribeLinks({ platform }: { platform: Platform | undefined }) {
  const { locale } = useSettings();
  return (
    <div className="subscribe">
      <h2 className="subscribe__title" id="subscribe">
        Subscribe
      </h2>
      <ul className="chips" aria-labelledby="subscribe">
        {feedLinksOf(platform, locale, location.host).map(({ name, href }) => (
          <li key={name}>
            <a href={href} className="chip">
              {name.startsWith("Calendar") ? (
                <CalendarPlus aria-hidden="true" />
              ) : (
                <Rss aria-hidden="true" />
              )}
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

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

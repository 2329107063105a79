import { CalendarPlus, Rss } from "lucide-react";
import { useSettings } from "../layout/use-settings.ts";
import { feedLinksOf } from "./feed-links.ts";
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

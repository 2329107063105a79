import { Tabs } from "@base-ui/react/tabs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDocumentTitle } from "../layout/use-document-title.ts";
import { parseFreeGamesParams, platforms, states } from "./free-games-params.ts";
import type { FreeGamesParams, GiveawayState, Platform } from "./free-games-params.ts";
import { Giveaways } from "./giveaways.tsx";
import "../styles/free-games.css";
import type { Locale } from "@storefront/domain/identifiers";
import { CalendarPlus, Rss } from "lucide-react";
import { useSettings } from "../layout/use-settings.ts";

/** Current, upcoming or past giveaways, by the URL. */
export function FreeGamesPage() {
  useDocumentTitle("Free games");
  const params = useSearch({ from: "/free-games" });
  const navigate = useNavigate({ from: "/free-games" });
  const { state = "current", platform } = params;
  const show = (chosen: FreeGamesParams, resetScroll = false) =>
    void navigate({ search: parseFreeGamesParams({ ...chosen }), resetScroll });
  return (
    <div className="free-games">
      <div className="free-games__head">
        <h1 className="free-games__title">Free games</h1>
        <SubscribeLinks platform={platform} />
      </div>
      <Tabs.Root
        className="free-games__tabs"
        value={state}
        onValueChange={(value: GiveawayState) => show({ state: value, platform })}
      >
        <div className="free-games__choice">
          <Tabs.List className="tabs" aria-label="Giveaways">
            {states.map(({ value, name }) => (
              <Tabs.Tab key={value} value={value} className="tab">
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <PlatformFilter
            platform={platform}
            onChange={(chosen) => show({ state, platform: chosen })}
          />
        </div>
        <Tabs.Panel value={state}>
          <Giveaways params={params} onPage={(page) => show({ ...params, page }, true)} />
        </Tabs.Panel>
      </Tabs.Root>
    </div>
  );
}

interface PlatformFilterProps {
  platform: Platform | undefined;
  onChange: (platform: Platform | undefined) => void;
}

function PlatformFilter({ platform, onChange }: PlatformFilterProps) {
  return (
    <div className="segments" role="group" aria-label="Platform">
      {[{ value: undefined, name: "All" }, ...platforms].map(({ value, name }) => (
        <button
          key={name}
          type="button"
          className="segment"
          aria-pressed={value === platform}
          onClick={() => onChange(value)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** Links to the feeds of the giveaways on a platform, or on all. */
function SubscribeLinks({ platform }: { platform: Platform | undefined }) {
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

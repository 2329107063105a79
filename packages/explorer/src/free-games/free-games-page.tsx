import { Tabs } from "@base-ui/react/tabs";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDocumentTitle } from "../layout/use-document-title.ts";
import { parseFreeGamesParams, platforms, states } from "./free-games-params.ts";
import type { FreeGamesParams, GiveawayState, Platform } from "./free-games-params.ts";
import { Giveaways } from "./giveaways.tsx";
import { SubscribeLinks } from "./subscribe-links.tsx";
import "../styles/free-games.css";

/** Current, upcoming or past giveaways, by the address. */
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

import type { PricingRegion as RegionRecord } from "@storefront/contracts/pricing/v1/pricing_region";
import { asCountry, asRegion } from "@storefront/domain/identifiers";
import type { PricingRegion } from "@storefront/domain/regions";
import type { Logger } from "@storefront/process";
import { setTimeout as sleep } from "node:timers/promises";
import { currentRegions } from "../regions/current-regions.ts";
import type { Clients } from "../upstream/clients.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { followFeedTail } from "./feed-tail.ts";

/** Longest wait for the first regions, in milliseconds; without them the gateway starts with those of the specification. */
const maxFirstWaitMs = 2_000;

/** Between attempts to read them, in milliseconds. */
const retryMs = 1_000;

export interface FollowedRegionsDependencies {
  clients: Clients;
  createContext: (signal: AbortSignal) => RequestContext;
  logger: Logger;
  /** Whether the caller follows pricing's feed itself, and calls `refresh`. */
  isFed: boolean;
  /** The regions differ from those of before. */
  onChanged: () => void;
}

/** Reads the regions at the start and after each write of one in pricing's feed. */
export function followRegions(dependencies: FollowedRegionsDependencies) {
  const { clients, createContext, logger, isFed, onChanged } = dependencies;
  const stopping = new AbortController();
  let isOutdated = false;
  let isLost = false;
  let reading: Promise<void> | undefined;

  /** Sets `reading` back itself, so that no refresh comes between its end and that. */
  async function read(): Promise<void> {
    while (isOutdated && !stopping.signal.aborted) {
      isOutdated = false;
      try {
        const { regions } = await clients.pricing.listRegions(createContext(stopping.signal), {});
        if (currentRegions.replace(regions.map(regionOf))) onChanged();
        isLost = false;
      } catch (err) {
        isOutdated = true;
        if (!isLost && !stopping.signal.aborted) logger.warn({ err }, "the regions cannot be read");
        isLost = true;
        // Rejects at the signal.
        await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
    reading = undefined;
  }

  function refresh(): Promise<void> {
    isOutdated = true;
    return (reading ??= read());
  }

  const tail = isFed
    ? undefined
    : followFeedTail({
        feed: "pricing",
        kinds: ["region"],
        client: clients.feeds.pricing,
        logger,
        onBegin: () => void refresh(),
        onEntries: (entries) => {
          if (entries.length > 0) void refresh();
        },
      });

  return {
    /** To be called when a region may have been written. */
    refresh: () => void refresh(),
    /** Resolves once the regions are read, at the latest after 2 s. */
    async start(): Promise<void> {
      tail?.start();
      // Rejects when closed before.
      const waited = sleep(maxFirstWaitMs, undefined, { signal: stopping.signal, ref: false });
      await Promise.race([refresh(), waited.catch(() => undefined)]);
    },
    async close(): Promise<void> {
      stopping.abort();
      await tail?.close();
      await reading;
    },
  };
}

function regionOf({ id, countries, ...money }: RegionRecord): PricingRegion {
  const { currencyCode, currencyDecimals } = money;
  return {
    region: asRegion(id),
    currencyCode,
    currencyDecimals,
    countries: countries.map(asCountry),
  };
}

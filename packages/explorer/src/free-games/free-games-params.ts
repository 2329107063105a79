import type { FreeGamesInput } from "../api/types.ts";
import { numberOf, withoutUndefined } from "../raw-params.ts";
import type { RawParams } from "../raw-params.ts";
import type { Settings } from "../settings.ts";

/** States of giveaways with the names of their tabs. The first is the default. */
export const states = [
  { value: "current", name: "Now" },
  { value: "upcoming", name: "Upcoming" },
  { value: "past", name: "Past" },
] as const;

/** Platforms of giveaways with their names. */
export const platforms = [
  { value: "desktop", name: "Desktop" },
  { value: "android", name: "Android" },
  { value: "ios", name: "iOS" },
] as const;

export type GiveawayState = (typeof states)[number]["value"];
export type Platform = (typeof platforms)[number]["value"];

/** The parameters of the giveaways' page; a member at its default is absent. */
export interface FreeGamesParams {
  state?: GiveawayState | undefined;
  /** Absent: all of them. */
  platform?: Platform | undefined;
  page?: number | undefined;
}

/** Giveaways on a page: fills rows of 2, 3 and 4. */
export const pageSize = 24;

/** Parses a URL; malformed parameters count as absent. */
export function parseFreeGamesParams(raw: RawParams): FreeGamesParams {
  const state = states.slice(1).find(({ value }) => value === raw["state"])?.value;
  const platform = platforms.find(({ value }) => value === raw["platform"])?.value;
  return withoutUndefined({ state, platform, page: numberOf(raw["page"], 2) });
}

/** The call for a URL. */
export function freeGamesInputOf(
  { state, platform, page }: FreeGamesParams,
  settings: Settings,
): FreeGamesInput {
  return { ...settings, lows: true, state, platform, page, limit: pageSize };
}

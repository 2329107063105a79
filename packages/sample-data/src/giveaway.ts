import { identifier, numberIn, Random } from "./random.ts";
import { dayMs, fullHour, iso, observe } from "./observe.ts";
import type { Sandbox, Slot } from "./sandbox.ts";

type Platform = "android" | "ios" | "desktop";

interface Plan {
  readonly platform: Platform;
  /** Days from now; below zero in the past. */
  readonly startDay: number;
  /** Null when the end is unknown. */
  readonly endDay: number | null;
}

/** Later sandboxes have no present or future giveaways, which stay few in a large catalogue. */
const lastSandboxWithPresent = 400;

/** Giveaways of a sandbox's base game, past ones first. */
export function observeGiveaways(sandbox: Sandbox) {
  const { source, game, slots } = sandbox;
  if (game.upcoming) return [];
  const random = new Random(source.seed, "giveaway", game.index);
  const plans = [...planPast(random), ...planPresent(random, game.index)];
  return slots
    .slice(0, 1)
    .flatMap((slot) =>
      plans.map((plan, n) => observeGiveaway(sandbox, slot, plan, n, random.chance(0.5))),
    );
}

/** One game in eight had a giveaway before, some of them several. */
function planPast(random: Random): Plan[] {
  const count = random.chance(0.125) ? random.integer(1, 3) : 0;
  return Array.from({ length: count }, (_, n) => {
    const startDay = -(count - n) * 120 - random.integer(15, 110);
    const platform = random.pick<Platform>(["desktop", "desktop", "desktop", "android", "ios"]);
    const ended = platform !== "desktop" || random.chance(0.9);
    return { platform, startDay, endDay: ended ? startDay + 7 : null };
  });
}

/** Of every twenty games one is free on Android now, one on iOS, and some later or on computers. */
function planPresent(random: Random, index: number): Plan[] {
  if (index >= lastSandboxWithPresent) return [];
  const startDay = -random.integer(1, 13);
  const endDay = random.integer(1, 60);
  switch (index % 20) {
    case 1:
      // The same game was free on both kinds of device before.
      return [
        { platform: "desktop", startDay: -100, endDay: -93 },
        { platform: "ios", startDay: -60, endDay: -53 },
        { platform: "android", startDay, endDay },
      ];
    case 2:
      return [{ platform: "ios", startDay, endDay }];
    case 3:
      return [{ platform: "android", startDay: endDay, endDay: endDay + 7 }];
    case 4:
      return [{ platform: "desktop", startDay, endDay }];
    case 6:
      return [{ platform: "desktop", startDay: endDay, endDay: endDay + 7 }];
    default:
      return [];
  }
}

function observeGiveaway(
  { source, game }: Sandbox,
  slot: Slot,
  { platform, startDay, endDay }: Plan,
  n: number,
  named: boolean,
) {
  const startMs = fullHour(source.nowMs + startDay * dayMs);
  return observe("giveaway", Math.min(startMs, source.nowMs - dayMs), {
    id: identifier(source.seed, "giveaway", numberIn(game.index, n)),
    offerId: slot.offerId,
    namespace: named ? game.namespace : null,
    // Absent on computers.
    ...(platform === "desktop" ? {} : { platform }),
    title: named ? slot.title : null,
    startDate: iso(startMs),
    endDate: endDay === null ? null : iso(fullHour(source.nowMs + endDay * dayMs)),
  });
}

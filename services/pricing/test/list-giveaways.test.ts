import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import type { ListGiveawaysRequestSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { describeOnEachMigratedDatabase, everyDriver } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { day, startPricing } from "./harness.ts";
import type { ObservationInit, RunningPricing } from "./harness.ts";

interface Seen {
  id: string;
  platform?: string;
  /** Days, see `day`. */
  start?: number;
  end?: number;
}

const days = [undefined, 10, 12, 20];

/** Each combination of a start, an end (also one before the start) and a platform. */
const everyGiveaway: Seen[] = days.flatMap((start) =>
  days.flatMap((end) =>
    [undefined, "android", "ios", "desktop"].map((platform) => ({
      id: `${start ?? "no"}-${end ?? "no"}-${platform ?? "none"}`,
      ...(start !== undefined && { start }),
      ...(end !== undefined && { end }),
      ...(platform !== undefined && { platform }),
    })),
  ),
);

const { BEGUN, CURRENT, PAST, UPCOMING } = GiveawayState;
const states = [CURRENT, UPCOMING, PAST, BEGUN];

function observed({ id, platform, start, end }: Seen): ObservationInit {
  return {
    observedAt: timestampFromDate(day(1)),
    record: {
      case: "giveaway",
      value: {
        id,
        ...(platform !== undefined && { platform }),
        ...(start !== undefined && { startDate: timestampFromDate(day(start)) }),
        ...(end !== undefined && { endDate: timestampFromDate(day(end)) }),
      },
    },
  };
}

/** The rule of the contract, for a single giveaway. */
function isIn(state: GiveawayState, { start, end }: Seen, atMs: number): boolean {
  const isOver = end !== undefined && day(end).getTime() < atMs;
  const hasBegun = start !== undefined && day(start).getTime() <= atMs;
  if (state === BEGUN) return hasBegun;
  if (state === PAST) return isOver;
  return !isOver && start !== undefined && hasBegun === (state === CURRENT);
}

function rankOf({ start = 0, end = 99 }: Seen, state: GiveawayState): number {
  if (state === BEGUN) return -start;
  if (state === UPCOMING) return start;
  return state === PAST ? -end : end;
}

function expectedIds(state: GiveawayState, atMs: number, platforms: readonly string[]): string[] {
  return everyGiveaway
    .filter((each) => isIn(state, each, atMs))
    .filter(({ platform = "" }) => platforms.length === 0 || platforms.includes(platform))
    .toSorted((a, b) => rankOf(a, state) - rankOf(b, state) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

// The model of test/e2e checks pages and their totals.
describeOnEachMigratedDatabase("ListGiveaways", suite, everyDriver);

function suite(testDatabase: TestDatabase): void {
  let service: RunningPricing;
  beforeAll(async () => {
    service = await startPricing(testDatabase.options());
    await service.ingest(everyGiveaway.map(observed));
  });
  afterAll(() => service.close());

  const instants = [9, 10, 11, 12, 15, 20, 21].flatMap((number) => [
    day(number).getTime() - 1,
    day(number).getTime(),
    day(number).getTime() + 1,
  ]);

  async function idsOf(request: MessageInitShape<typeof ListGiveawaysRequestSchema>) {
    const { giveaways } = await service.pricing.listGiveaways(request);
    return giveaways.map(({ id }) => id);
  }

  it("returns those of a state in its order, at any instant and on any platforms", async () => {
    for (const atMs of instants) {
      const at = timestampFromDate(new Date(atMs));
      for (const state of states) {
        for (const platforms of [[], [""], ["ios", ""], ["desktop"], ["none"]]) {
          const ids = await idsOf({ state, at, platforms, pageSize: 500 });
          expect(ids).toEqual(expectedIds(state, atMs, platforms));
        }
      }
    }
  });

  it("returns the current ones unless a state is requested", async () => {
    const at = timestampFromDate(day(12));
    const current = expectedIds(CURRENT, day(12).getTime(), []);
    expect(await idsOf({ at, pageSize: 500 })).toEqual(current);
    expect(await idsOf({ at })).toEqual(current.slice(0, 20));
  });

  it("reports how long the response is valid, at most a day", async () => {
    const wholeAt = (atMs: number) => states.map((state) => expectedIds(state, atMs, []));
    for (const atMs of instants) {
      const at = timestampFromDate(new Date(atMs));
      const { validForMs = -1n } = await service.pricing.listGiveaways({ at });
      const validMs = Number(validForMs);
      expect(validMs).toBeLessThanOrEqual(86_400_000);
      const lastMs = atMs + Math.max(0, validMs - 1);
      expect(wholeAt(lastMs)).toEqual(wholeAt(atMs));
    }
    const { validForMs } = await service.pricing.listGiveaways({
      at: timestampFromDate(new Date(day(12).getTime() - 60_000)),
    });
    expect(validForMs).toBe(60_000n);
  });
}

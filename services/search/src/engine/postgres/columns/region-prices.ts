import type { Queryable } from "@storefront/database";
import type { Region } from "@storefront/domain/identifiers";
import { priceTableOf } from "../tables.ts";
import { FollowedColumns } from "./followed-columns.ts";
import { priceGeneration } from "./index-writes.ts";
import { PriceColumns, PriceTimes } from "./price-columns.ts";
import type { PriceTimeName } from "./price-columns.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

/** Prices of a region that a search reads. */
export interface PricesOfRegion {
  /** Undefined for a region that does not exist. */
  readonly prices: PriceColumns | undefined;
  /** Those that were asked for, of a region that exists. */
  readonly times: Partial<Readonly<Record<PriceTimeName, PriceTimes>>>;
}

/** Which of them it reads. */
export interface PricesAsked {
  readonly region: Region;
  readonly times: readonly PriceTimeName[];
}

/** The prices of regions in memory, the same for all generations; each is read when it is first asked for. */
export class RegionPrices {
  readonly #queryable: Queryable;
  readonly #lock: ReadWriteLock;
  /** By region, and which times; those that were asked for last are at the end. */
  readonly #prices = new Map<string, FollowedColumns<PriceColumns>>();
  readonly #times = new Map<string, FollowedColumns<PriceTimes>>();

  /** @param lock of those who read them */
  constructor(queryable: Queryable, lock: ReadWriteLock) {
    this.#queryable = queryable;
    this.#lock = lock;
  }

  /** As {@link FollowedColumns.upToDate}. */
  async upToDate(asked: PricesAsked, atLeast?: bigint): Promise<PricesOfRegion> {
    const { region } = asked;
    const table = priceTableOf(region);
    if (table === undefined) return { prices: undefined, times: {} };
    const part = { table, region, generation: priceGeneration };
    const follow = <Held extends PriceColumns | PriceTimes>(create: () => Held) =>
      new FollowedColumns(this.#queryable, { ...part, create });
    const prices = last(this.#prices, region, () =>
      follow(() => new PriceColumns(table, this.#lock)),
    );
    const times = asked.times.map(async (name) => {
      const create = () => new PriceTimes(table, this.#lock, name);
      const held = last(this.#times, `${region} ${name}`, () => follow(create));
      return [name, await held.upToDate(atLeast)] as const;
    });
    const [columns, ofTimes] = await Promise.all([prices.upToDate(atLeast), Promise.all(times)]);
    return { prices: columns, times: Object.fromEntries(ofTimes) };
  }

  /** Lets go the prices that were not asked for longest, but those of the region that is asked for now. */
  makeRoom(maxBytes: number, asked: Region): void {
    const all = [...this.#times.values(), ...this.#prices.values()];
    let sizeBytes = all.reduce((sum, columns) => sum + columns.sizeBytes, 0);
    // Few searches read the times.
    for (const held of [this.#times, this.#prices]) {
      for (const [key, columns] of held) {
        if (sizeBytes <= maxBytes) return;
        if (key.split(" ")[0] === asked) continue;
        held.delete(key);
        sizeBytes -= columns.sizeBytes;
      }
    }
  }
}

/** What a map has under a key, made where there is none, and put at its end. */
function last<Value>(held: Map<string, Value>, key: string, make: () => Value): Value {
  const value = held.get(key) ?? make();
  held.delete(key);
  held.set(key, value);
  return value;
}

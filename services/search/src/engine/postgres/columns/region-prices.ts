import type { Queryable } from "@storefront/database";
import type { Region } from "@storefront/domain/identifiers";
import { pricesIn } from "../tables.ts";
import { FollowedColumns } from "./followed-columns.ts";
import { priceGeneration } from "./index-writes.ts";
import { PriceColumns, PriceTimes } from "./price-columns.ts";
import type { PriceTimeName } from "./price-columns.ts";
import type { ReadWriteLock } from "./read-write-lock.ts";

export interface PricesOfRegion {
  /** Undefined for what is no code of a region. */
  readonly prices: PriceColumns | undefined;
  /** The requested ones, of a known region. */
  readonly times: Partial<Readonly<Record<PriceTimeName, PriceTimes>>>;
}

export interface PriceColumnsRequest {
  readonly region: Region;
  readonly times: readonly PriceTimeName[];
}

/** The prices of regions in memory, shared by all generations; each is read at its first use. */
export class RegionPrices {
  readonly #queryable: Queryable;
  readonly #lock: ReadWriteLock;
  /** By region and time name, least recently used first. */
  readonly #prices = new Map<string, FollowedColumns<PriceColumns>>();
  readonly #times = new Map<string, FollowedColumns<PriceTimes>>();

  /** @param lock of their readers */
  constructor(queryable: Queryable, lock: ReadWriteLock) {
    this.#queryable = queryable;
    this.#lock = lock;
  }

  /** As {@link FollowedColumns.upToDate}. */
  async upToDate(request: PriceColumnsRequest, atLeast?: bigint): Promise<PricesOfRegion> {
    const { region } = request;
    const table = pricesIn(region);
    if (table === undefined) return { prices: undefined, times: {} };
    const part = { table, region, generation: priceGeneration };
    const follow = <Held extends PriceColumns | PriceTimes>(create: () => Held) =>
      new FollowedColumns(this.#queryable, { ...part, create });
    const prices = last(this.#prices, region, () =>
      follow(() => new PriceColumns(table, this.#lock)),
    );
    const times = request.times.map(async (name) => {
      const create = () => new PriceTimes(table, this.#lock, name);
      const held = last(this.#times, `${region} ${name}`, () => follow(create));
      return [name, await held.upToDate(atLeast)] as const;
    });
    const [columns, ofTimes] = await Promise.all([prices.upToDate(atLeast), Promise.all(times)]);
    return { prices: columns, times: Object.fromEntries(ofTimes) };
  }

  /** Frees the least recently used prices, except those of the current region. */
  makeRoom(maxBytes: number, current: Region): void {
    const all = [...this.#times.values(), ...this.#prices.values()];
    let sizeBytes = all.reduce((sum, columns) => sum + columns.sizeBytes, 0);
    // Times first, since few searches read them.
    for (const held of [this.#times, this.#prices]) {
      for (const [key, columns] of held) {
        if (sizeBytes <= maxBytes) return;
        if (key.split(" ")[0] === current) continue;
        held.delete(key);
        sizeBytes -= columns.sizeBytes;
      }
    }
  }
}

/** Most columns in memory of a kind, however small they are: callers may name any region. */
const maxHeld = 1_000;

/** The value of a key, created if missing, moved to the end. */
function last<Value>(held: Map<string, Value>, key: string, make: () => Value): Value {
  const value = held.get(key) ?? make();
  held.delete(key);
  held.set(key, value);
  // Of regions without prices, which take no room.
  if (held.size > maxHeld) held.delete([...held.keys()][0] as string);
  return value;
}

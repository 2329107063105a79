import { Pool } from "undici";
import type { PostgresStack } from "../postgres-stack.ts";
import type { Pace } from "../send-paced.ts";
import { writeOffersPaced } from "../write-offers-paced.ts";
import { writePricesPaced } from "../write-prices-paced.ts";

const hotOffers = 50;

/** A multiple of the number of regions, so that all writes of hot offers are in the first one, US. */
const writesPerHotWrite = 39;

const readersCount = 8;

/** Whether the price of this number belongs to an offer that is read. */
export const isHot = (number: number) => number % writesPerHotWrite === 0;

/** The number of the next price of a hot offer. */
export function nextPrice(number: number): number {
  return number + hotOffers * writesPerHotWrite;
}

/** How many prices are written until each hot offer has one. */
export const firstPrices = nextPrice(0);

const hotOffer = (index: number) => `offer-${index % hotOffers}`;

/** Writes the offers that are read, each with a price. */
export async function writeHotOffers(started: PostgresStack): Promise<void> {
  const nothing = () => undefined;
  await writeOffersPaced(started, { writes: hotOffers, perSecond: 1000 }, nothing);
  await writeHotPrices(started, { writes: firstPrices, perSecond: 1000 }, nothing);
}

/**
 * Writes prices at an even rate, one in `writesPerHotWrite` for a hot offer, the others for offers that are not read.
 *
 * @param onCommitted called for each of them, in their order, when it is committed
 */
export async function writeHotPrices(
  started: PostgresStack,
  pace: Pace,
  onCommitted: () => void,
): Promise<void> {
  const offerOf = (number: number) =>
    isHot(number) ? hotOffer(number / writesPerHotWrite) : `other-${number % 300}`;
  await writePricesPaced(started, pace, onCommitted, offerOf);
}

/** A price that was read from the edge. */
export interface EdgeRead {
  /** Number of the price. */
  number: number;
  /** Whether the edge had it cached. */
  isHit: boolean;
  /** When it was requested and when it arrived, on the clock of `performance.now()`. */
  askedAtMs: number;
  cameAtMs: number;
}

/** Reads the prices of the hot offers from a Varnish in turn, as fast as possible, until the signal aborts. */
export async function readHotOffers(
  url: string,
  signal: AbortSignal,
  onRead: (read: EdgeRead) => void,
): Promise<void> {
  const pool = new Pool(url, { connections: readersCount });
  let asked = 0;
  const read = async () => {
    while (!signal.aborted) {
      const path = `/offers/${hotOffer(asked++)}/price`;
      const askedAtMs = performance.now();
      const { statusCode, headers, body } = await pool.request({ method: "GET", path });
      const text = await body.text();
      const cameAtMs = performance.now();
      const number = Number(/"discountPrice":(\d+)/.exec(text)?.[1]);
      if (statusCode !== 200) throw new Error(`${path}: status ${statusCode}: ${text}`);
      // For a hit, Varnish also names the request that fetched it.
      const isHit = String(headers["x-varnish"]).includes(" ");
      onRead({ number, isHit, askedAtMs, cameAtMs });
    }
  };
  try {
    await Promise.all(Array.from({ length: readersCount }, read));
  } finally {
    await pool.close();
  }
}

import { freshnessRow } from "../freshness-row.ts";
import { startMirror } from "../mirror/start-mirror.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import { writeOffersPaced } from "../write-offers-paced.ts";
import { writePricesPaced } from "../write-prices-paced.ts";

/** Each of offers and of prices. */
const perSecond = 100;
const writes = 30 * perSecond;

/** How long after its commit a write is in a mirror's copy, with copy and origin on one machine. */
export const mirrorLag = freshnessRow({
  number: 27,
  case: "1 / p99 of the seconds from commit to the copy of `storefront mirror` at 200 writes/s; peer: the limit, 2 s",
  limitMs: 2000,
  async measure(origin) {
    const ignore = () => undefined;
    const copy = await startPostgresStack();
    try {
      const mirror = startMirror(origin.stack, copy.stack);
      await mirror.following;
      await Promise.all([
        writeOffersPaced(origin, { writes, perSecond }, ignore),
        writePricesPaced(origin, { writes, perSecond }, ignore),
      ]);
      const newest = `/offers/offer-${writes - 1}`;
      await mirror.until(async () => (await fetch(copy.stack.gatewayUrl + newest)).ok);
      // As the mirror reports them, for all changes after the snapshot.
      const { changes, lagMs } = await mirror.stop();
      if (lagMs === undefined || changes < 2 * writes) {
        throw new Error(`The mirror copied only ${changes} changes.`);
      }
      return { medianMs: lagMs.p50, p99Ms: lagMs.p99 };
    } finally {
      await copy.stop();
    }
  },
});

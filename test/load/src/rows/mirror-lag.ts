import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { freshnessRow } from "../freshness-row.ts";
import type { Freshness } from "../freshness-row.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import { writeOffersPaced } from "../write-offers-paced.ts";
import { writePricesPaced } from "../write-prices-paced.ts";

/** Each of offers and of prices. */
const perSecond = 100;
const writes = 30 * perSecond;

const lookIntervalMs = 100;

/** How long after its commit a write is in a copy that a mirror makes, the copy beside its origin on one machine. */
export const mirrorLag = freshnessRow({
  number: 27,
  case: "1 / p99 of the seconds from commit to the copy of `storefront mirror` at 200 writes/s; peer: the limit, 2 s",
  limitMs: 2000,
  async measure(origin) {
    const copy = await startPostgresStack();
    try {
      return await measureLag(origin, copy);
    } finally {
      await copy.stop();
    }
  },
});

/** As the mirror tells it, of everything that it took over from the log. */
async function measureLag(origin: PostgresStack, copy: PostgresStack): Promise<Freshness> {
  const nobody = () => undefined;
  const mirror = copy.stack.startCli(["mirror", origin.stack.gatewayUrl, "--json"]);
  try {
    const state = `${copy.stack.dataDirectory}/mirror.json`;
    await until(async () => (await readFile(state, "utf8")).includes('"cursor":'));
    await Promise.all([
      writeOffersPaced(origin, { writes, perSecond }, nobody),
      writePricesPaced(origin, { writes, perSecond }, nobody),
    ]);
    const newest = `/offers/offer-${writes - 1}`;
    await until(async () => (await fetch(copy.stack.gatewayUrl + newest)).ok);
  } finally {
    mirror.process.kill("SIGTERM");
  }
  const { status, stdout, stderr } = await mirror.ended;
  if (status !== 0) throw new Error(`The mirror ended with status ${status}: ${stderr}`);
  const { changes, lagMs } = JSON.parse(stdout) as {
    changes: number;
    lagMs: { p50: number; p99: number };
  };
  if (changes < 2 * writes) throw new Error(`The mirror took over ${changes} changes only.`);
  return { medianMs: lagMs.p50, p99Ms: lagMs.p99 };
}

/** What fails may come later. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue().catch(() => false))) await sleep(lookIntervalMs);
}

import { makeTemporaryDirectory } from "@storefront/testkit";
import { writeParts } from "../growth/write-parts.ts";
import { startMirror } from "../mirror/start-mirror.ts";
import { peakMemory } from "../peak-memory.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import { rounded } from "../row.ts";
import type { Row } from "../row.ts";

const fewOffers = 50_000;
const manyOffers = 500_000;

/** Whether a mirror's memory grows with its catalogue, while it copies the snapshot. */
export const mirrorMemory: Row = {
  number: 28,
  case: `peak MiB of \`storefront mirror\` taking over ${manyOffers} offers with a price; peer: ${fewOffers} offers`,
  goal: 1.2,
  goalIs: "at most",
  async measure(report) {
    const [ours, peer] = [
      await measurePeak(manyOffers, report),
      await measurePeak(fewOffers, report),
    ];
    return { ours, peer, ratio: rounded(ours / peer) };
  },
};

async function measurePeak(offers: number, report: (progress: string) => void): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const files = stack.adopt(await makeTemporaryDirectory(), (directory) => directory.remove());
  const { stack: origin } = stack.adopt(await startPostgresStack(), (started) => started.stop());
  const { stack: copy } = stack.adopt(await startPostgresStack(), (started) => started.stop());
  for (const part of await writeParts(files.path, linesOf(offers))) {
    const { status, stderr } = await origin.cli(["import", part]);
    if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr}`);
  }
  report(`${offers} offers are in the origin`);
  const startedAtMs = performance.now();
  const mirror = startMirror(origin, copy);
  const [mirrorMib, gatewayMib] = await Promise.all([
    peakMemory(mirror.pid, mirror.following),
    peakMemory(origin.process.pid ?? 0, mirror.following),
  ]);
  const seconds = (performance.now() - startedAtMs) / 1000;
  await mirror.stop();
  report(
    `${offers} offers: mirror ${mirrorMib} MiB, the origin's gateway ${gatewayMib} MiB, ${seconds.toFixed(0)} s`,
  );
  return mirrorMib;
}

/** Lines of the import format: an offer and its price in one region. */
function* linesOf(offers: number): Generator<string> {
  const observedAt = "2026-01-01T00:00:00Z";
  for (let number = 0; number < offers; number++) {
    const id = `offer-${number}`;
    const offer = { id, namespace: `room-${number % 1000}`, title: `Offer ${number}` };
    const price = { currencyCode: "USD", originalPrice: 999, discountPrice: 999, discount: 0 };
    const priced = { offerId: id, region: "US", price, updatedAt: observedAt, appliedRules: [] };
    yield JSON.stringify({ kind: "offer", op: "upsert", observedAt, record: offer });
    yield JSON.stringify({ kind: "price", op: "upsert", observedAt, record: priced });
  }
}

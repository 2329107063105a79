import {
  ingestHttpToken,
  longOffers,
  makeTemporaryDirectory,
  startIngest,
} from "@storefront/testkit";
import type { TestIngest } from "@storefront/testkit";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { median } from "../median.ts";
import { peakMemory } from "../peak-memory.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import { residentMebibytes } from "../resident-mebibytes.ts";
import { limitRow, rounded } from "../row.ts";
import type { Row } from "../row.ts";

const linesOfRound = 50_000;

/** Both write the same number of new prices per round, in turn; the time of their processes counts. */
export const ingestRate: Row = {
  number: 34,
  case: "price lines/s of `import --url`; of `import`",
  goal: 0.8,
  async measure(report, { rounds }) {
    await using started = await startParts();
    const rates = { url: new Array<number>(), direct: new Array<number>() };
    // The first round inserts the rows, and does not count.
    for (let round = 0; round <= rounds; round++) {
      for (const way of ["direct", "url"] as const) {
        const file = await started.write(`${way}-${round}`, newerPrices(round, way));
        const startMs = performance.now();
        await started.import(file, way === "url");
        const rate = linesOfRound / ((performance.now() - startMs) / 1000);
        if (round > 0) rates[way].push(rate);
        report(`${way}: ${rate.toFixed(0)} lines/s`);
      }
    }
    const [ours, peer] = [Math.round(median(rates.url)), Math.round(median(rates.direct))];
    return { ours, peer, ratio: rounded(ours / peer) };
  },
};

/** Of 10 kB each: 1 GB. */
const linesOfLargeFile = 100_000;
const memoryLimitMib = 64;

/** Otherwise the collector leaves garbage of the batches for longer; see docs/operations/sizing.md. */
const smallHeap = { NODE_OPTIONS: "--max-semi-space-size=4 --max-old-space-size=128" };

/** How much an ingest process grows while it receives a large file, compared with after a small one. */
export const ingestMemory = limitRow({
  number: 35,
  case: "MiB that `storefront ingest` grows by during an upload of 1 GB, with the heap of docs/operations/sizing.md; peer: the limit",
  limit: memoryLimitMib,
  async measure(report) {
    await using started = await startParts(smallHeap);
    await started.import(await started.write("small", longOffers(100)), true);
    const idleMib = await residentMebibytes(started.ingest.pid);
    const file = await started.write("large", longOffers(linesOfLargeFile));
    const { size } = await stat(file);
    const startMs = performance.now();
    const peakMib = await peakMemory(started.ingest.pid, started.import(file, true));
    const seconds = (performance.now() - startMs) / 1000;
    report(
      `${(size / 1e6).toFixed(0)} MB: ${idleMib.toFixed(0)} MiB before, at most ${peakMib} MiB, ${seconds.toFixed(0)} s`,
    );
    return Math.round(peakMib - idleMib);
  },
});

/** A stack with ingest by HTTP. */
interface Parts extends AsyncDisposable {
  ingest: TestIngest;
  /** Writes a file. @returns its path */
  write(name: string, lines: Iterable<object>): Promise<string>;
  import(file: string, byUrl: boolean): Promise<void>;
}

async function startParts(variables: Readonly<Record<string, string>> = {}): Promise<Parts> {
  await using opened = new AsyncDisposableStack();
  const files = opened.adopt(await makeTemporaryDirectory(), (directory) => directory.remove());
  const started: PostgresStack = opened.adopt(await startPostgresStack(), (each) => each.stop());
  const { stack } = started;
  const ingest = opened.adopt(await startIngest(stack, variables), (each) => each.stop());
  const resources = opened.move();
  return {
    ingest,
    async write(name, lines) {
      const file = files.file(`${name}.ndjson`);
      await pipeline(Readable.from(textOf(lines)), createWriteStream(file));
      return file;
    },
    async import(file, byUrl) {
      const parameters = byUrl ? ["import", file, "--url", ingest.url] : ["import", file];
      const env = { INGEST_HTTP_TOKEN: ingestHttpToken };
      const { status, stderr } = await stack.cli(parameters, { env });
      if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr}`);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function* textOf(lines: Iterable<object>): Generator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** The same prices in each file, with newer amounts than in the files before. */
function* newerPrices(round: number, way: "direct" | "url"): Generator<object> {
  const update = 2 * round + (way === "url" ? 1 : 0);
  const observedAt = new Date(Date.UTC(2026, 0, 1 + update)).toISOString();
  const price = { currencyCode: "USD", originalPrice: 2000, discountPrice: 1000 + update };
  for (let number = 0; number < linesOfRound; number++) {
    const record = { offerId: `offer-${number}`, region: "US", price };
    yield { kind: "price", observedAt, record };
  }
}

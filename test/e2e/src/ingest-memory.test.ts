import { ingestHttpToken, longOffers, startIngest, startStack } from "@storefront/testkit";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { expect, it } from "vitest";

/** Lines of 10 kB each: 200 MB. */
const lines = 20_000;

/** Less than half of the body, which would be in memory without back-pressure, in MiB. */
const growthMax = 90;

it(
  "ingest reads a body of 200 MB as fast as it stores it, not as fast as the client sends it",
  { timeout: 300_000 },
  async () => {
    await using started = new AsyncDisposableStack();
    const stack = await startStack();
    started.defer(async () => void (await stack.stop()));
    const ingest = await startIngest(stack, {
      NODE_OPTIONS: "--max-semi-space-size=4 --max-old-space-size=128",
    });
    started.defer(() => ingest.stop());

    const upload = async (count: number) => {
      const headers = { authorization: `Bearer ${ingestHttpToken}` };
      const request = requestHttp(`${ingest.url}/ingest`, { method: "PUT", headers });
      const responding = once(request, "response");
      await pipeline(Readable.from(linesOf(longOffers(count)), { objectMode: false }), request);
      const [response] = (await responding) as [IncomingMessage];
      return JSON.parse(await text(response)) as object;
    };
    await upload(100);
    const before = await memoryOf(ingest.pid);
    const offer = { read: lines, written: 900, unchanged: lines - 900, stale: 0, rejected: 0 };
    expect(await upload(lines)).toEqual({
      summary: { kinds: { offer }, unknownMembers: 0, errors: [] },
    });
    const after = await memoryOf(ingest.pid);
    expect(after.peakMib - before.residentMib).toBeLessThan(growthMax);
  },
);

function* linesOf(observations: Iterable<object>): Generator<string> {
  for (const observation of observations) yield `${JSON.stringify(observation)}\n`;
}

async function memoryOf(pid: number): Promise<{ residentMib: number; peakMib: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
  return { residentMib: mebibytes("VmRSS"), peakMib: mebibytes("VmHWM") };
}

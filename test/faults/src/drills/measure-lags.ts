import { timestampMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { createTransport } from "@storefront/rpc";
import type { StackAddresses } from "@storefront/testkit";

/** Lags from the storage of writes at an origin to that in its copy, in milliseconds. */
export interface MeasuredLags {
  writes: number;
  /** Writes stored at the origin per second. */
  writesPerSecond: number;
  p50: number;
  p99: number;
  max: number;
}

/**
 * Compares the logs of catalog and pricing, which have the storage time of each write.
 *
 * @param fromMs start of the time in which the counted writes were stored at the origin
 * @param toMs its end
 */
export async function measureLags(
  origin: StackAddresses,
  copy: StackAddresses,
  fromMs: number,
  toMs: number,
): Promise<MeasuredLags> {
  const lags: number[] = [];
  for (const service of ["catalog", "pricing"]) {
    const storedAt = new Map((await logOf(origin, service)).map(timeByWrite));
    for (const entry of await logOf(copy, service)) {
      const [write, atMs] = timeByWrite(entry);
      const originMs = storedAt.get(write);
      if (originMs === undefined || originMs < fromMs || originMs > toMs) continue;
      lags.push(atMs - originMs);
    }
  }
  lags.sort((a, b) => a - b);
  const at = (share: number) => lags[Math.ceil(lags.length * share) - 1] ?? Number.NaN;
  const writesPerSecond = Math.round((lags.length * 1000) / (toMs - fromMs));
  return { writes: lags.length, writesPerSecond, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function timeByWrite({ kind, key, observedAt, committedAt }: FeedEntry): [string, number] {
  const write = JSON.stringify([kind, ...key, observedAt && timestampMs(observedAt)]);
  return [write, committedAt === undefined ? Number.NaN : timestampMs(committedAt)];
}

async function logOf({ services }: StackAddresses, service: string): Promise<FeedEntry[]> {
  const transport = createTransport({ baseUrl: services[service]?.url ?? "" });
  const enough = new AbortController();
  const found: FeedEntry[] = [];
  try {
    const call = { signal: enough.signal, timeoutMs: 0 };
    for await (const message of createClient(FeedService, transport).watchChanges({}, call)) {
      found.push(...message.entries);
      const last = message.entries.at(-1)?.sequence ?? message.newestSequence;
      if (last >= message.newestSequence) return found;
    }
    throw new Error(`the stream of the log of ${service} ended early`);
  } finally {
    enough.abort();
    await transport.close();
  }
}

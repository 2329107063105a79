import type { FeedFollower } from "@storefront/change-feed";
import { setTimeout as sleep } from "node:timers/promises";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { BackgroundLoop } from "./background-loop.ts";

/** Longest wait before a first index is made, in milliseconds: a long import goes on beside it. */
const maxWaitMs = 60_000;

/** A feed that is not connected for so long, in milliseconds, is away and not waited for. */
const awayMs = 3_000;

const lookMs = 20;

/** Who makes the index, and what it waits for. */
export interface FirstIndex {
  readonly engine: Pick<SearchEngine, "liveGeneration">;
  readonly keeper: BackgroundLoop;
  readonly feeds: ReadonlyMap<string, Pick<FeedFollower, "probe">>;
  /** Breaks the wait off; then the keeper is not started. */
  readonly signal: AbortSignal;
}

/**
 * Starts the keeper of the index. Where nothing answers yet the feeds are caught up with first: the index is
 * then made of what there is in the end, and not of each state on the way as well.
 */
export async function indexOnceCaughtUp({
  engine,
  keeper,
  feeds,
  signal,
}: FirstIndex): Promise<void> {
  // What cannot be told now is the keeper's to find out.
  const live = await engine.liveGeneration().catch(() => undefined);
  if (live === undefined) await untilCaughtUp([...feeds.values()], signal);
  if (!signal.aborted) keeper.start();
}

async function untilCaughtUp(
  feeds: readonly Pick<FeedFollower, "probe">[],
  signal: AbortSignal,
): Promise<void> {
  const startedAtMs = performance.now();
  const waitedMs = () => performance.now() - startedAtMs;
  while (!signal.aborted && waitedMs() < maxWaitMs) {
    const probes = await Promise.allSettled(feeds.map((feed) => feed.probe()));
    const isDone = probes.every((probe) =>
      probe.status === "fulfilled" ? probe.value.lagEntries === 0n : waitedMs() >= awayMs,
    );
    if (isDone) return;
    // Rejects only when it is to end, which the loop looks for.
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

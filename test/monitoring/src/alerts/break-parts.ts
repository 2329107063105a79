import { createClient } from "@connectrpc/connect";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import { openDatabase } from "@storefront/database";
import { createGrpcTransport } from "@storefront/rpc";
import { setTimeout as wait } from "node:timers/promises";
import { expect, vi } from "vitest";
import type { AlertWatch } from "./alert-watch.ts";
import type { Heal } from "./hold-locks.ts";
import { keepAsking } from "./keep-asking.ts";
import { ingestToken } from "./start-watched-stack.ts";
import type { WatchedStack } from "./start-watched-stack.ts";
import type { OfferWriter } from "./write-offers.ts";

/** Kills the reviews service repeatedly, each time once it has been scraped. */
export function crashAgainAndAgain({ processes }: WatchedStack, watch: AlertWatch): Heal {
  const { reviews } = processes;
  /** Waits until a process is scraped that started after `time`, in seconds. @returns its start time */
  const startedAfter = (time: number) =>
    vi.waitFor(async () => {
      const [seconds = 0] = await watch.values('process_start_time_seconds{service="reviews"}');
      expect(seconds).toBeGreaterThan(time);
      return seconds;
    });
  const healed = new AbortController();
  const crashing = (async () => {
    let before = await startedAfter(0);
    while (!healed.signal.aborted) {
      // Start times are rounded to seconds; the next process must not have the same one.
      await wait(Math.max(0, (before + 1) * 1000 - Date.now()));
      await reviews.kill();
      await reviews.start();
      before = await startedAfter(before);
    }
  })();
  // Reported where it is awaited.
  crashing.catch(() => undefined);
  return async () => {
    healed.abort();
    await crashing;
  };
}

/** How long a throttled process is stopped and runs in turn, in milliseconds: less than the interval of scrapes. */
const throttling = { stillMs: 300, runningMs: 100 };

/** Lets a process run only a quarter of the time, as a CPU limit does. */
export function throttle(pid: number | undefined): Heal {
  if (pid === undefined) throw new Error("The process is not running.");
  let timer: NodeJS.Timeout;
  const stop = () => {
    process.kill(pid, "SIGSTOP");
    timer = setTimeout(go, throttling.stillMs);
  };
  const go = () => {
    process.kill(pid, "SIGCONT");
    timer = setTimeout(stop, throttling.runningMs);
  };
  stop();
  return () => {
    clearTimeout(timer);
    process.kill(pid, "SIGCONT");
    return Promise.resolve();
  };
}

/**
 * A database that does not match its services: without the table of the reviews, with a constraint on entries of the
 * changelog that offers written meanwhile violate, and with one that rejects each claim of a webhook.
 */
export async function spoilSchema(
  { postgres, grpcAddress }: WatchedStack,
  watch: AlertWatch,
  writer: OfferWriter,
): Promise<Heal> {
  const database = await openDatabase({ url: postgres.url });
  await database.write("alter table reviews.review rename to lost_review");
  await database.write(
    "alter table changelog.entry add constraint no_bad check (context_id not like 'bad%') not valid",
  );
  await database.write(
    "alter table webhooks.delivery add constraint no_claim check (claim = 0) not valid",
  );
  const writing = keepAsking(500, (number) => writer.write(`bad-${number}`));
  return async () => {
    await writing.stop();
    await database.write("alter table reviews.lost_review rename to review");
    await database.write("alter table changelog.entry drop constraint no_bad");
    await database.write("alter table webhooks.delivery drop constraint no_claim");
    await database.close();
    const transport = createGrpcTransport({
      address: grpcAddress("changelog"),
      token: ingestToken,
    });
    const client = createClient(FollowerService, transport);
    await vi.waitFor(async () => {
      await client.retryQuarantined({});
      expect(await watch.values("max(feed_quarantined_entries)")).toEqual([0]);
    });
    await transport.close();
  };
}

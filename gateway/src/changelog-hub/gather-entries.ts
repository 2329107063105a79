import { toBinary } from "@bufbuild/protobuf";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { setTimeout as sleep } from "node:timers/promises";

// What comes during a pause stays below this, or is waited with.
const gatheredMaxBytes = 4 * 2 ** 20;

/** Takes entries in the order of the log. */
export interface EntryGatherer {
  /** Resolves when there is room for more. */
  add(entries: readonly Entry[]): Promise<void>;
}

/**
 * Hands entries on at once when none came for a while, else together with those that come within
 * `pauseMs`: writing to each of a thousand clients is dear, however little it is.
 *
 * @param handOn never rejects
 * @param signal ends it, with what was not handed on
 */
export function gatherEntries(
  handOn: (entries: Entry[]) => Promise<void>,
  pauseMs: number,
  signal: AbortSignal,
): EntryGatherer {
  let gathered: Entry[] = [];
  let sizeBytes = 0;
  let room = Promise.withResolvers<void>();
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (gathered.length > 0 && !signal.aborted) {
      const entries = gathered;
      gathered = [];
      sizeBytes = 0;
      room.resolve();
      room = Promise.withResolvers();
      await handOn(entries);
      // Rejects only when it is to end, which the loop looks for.
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    isRunning = false;
    room.resolve();
  }

  return {
    async add(entries) {
      gathered.push(...entries);
      for (const entry of entries) sizeBytes += toBinary(EntrySchema, entry).length;
      const { promise: hasRoom } = room;
      void run();
      if (sizeBytes > gatheredMaxBytes) await hasRoom;
    },
  };
}

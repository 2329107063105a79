import { setTimeout as sleep } from "node:timers/promises";

// During a pause; `add` waits beyond it.
const gatheredMaxBytes = 4 * 2 ** 20;

/**
 * Passes records on at once after a pause, else together with those of the next `pauseMs`: a write to each of a thousand
 * clients is expensive, however little it has.
 *
 * @param passOn never rejects
 * @param sizeBytesOf what a record takes in memory, roughly
 * @param signal ends it; gathered records are dropped
 */
export function gatherRecords<LogRecord>(
  passOn: (records: LogRecord[]) => Promise<void>,
  sizeBytesOf: (record: LogRecord) => number,
  pauseMs: number,
  signal: AbortSignal,
) {
  let gathered: LogRecord[] = [];
  let sizeBytes = 0;
  let room = Promise.withResolvers<void>();
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (gathered.length > 0 && !signal.aborted) {
      const records = gathered;
      gathered = [];
      sizeBytes = 0;
      room.resolve();
      room = Promise.withResolvers();
      await passOn(records);
      // Rejects at the signal.
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    isRunning = false;
    room.resolve();
  }

  return {
    /** Resolves when there is room for more. */
    async add(records: readonly LogRecord[]): Promise<void> {
      gathered.push(...records);
      for (const record of records) sizeBytes += sizeBytesOf(record);
      const { promise: hasRoom } = room;
      void run();
      if (sizeBytes > gatheredMaxBytes) await hasRoom;
    },
  };
}

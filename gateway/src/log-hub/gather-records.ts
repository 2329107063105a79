import { setTimeout as sleep } from "node:timers/promises";

// What comes during a pause stays below this, or is waited with.
const gatheredMaxBytes = 4 * 2 ** 20;

/** Takes records in the order of the log. */
export interface RecordGatherer<LogRecord> {
  /** Resolves when there is room for more. */
  add(records: readonly LogRecord[]): Promise<void>;
}

/**
 * Hands records on at once when none came for a while, else together with those that come within
 * `pauseMs`: writing to each of a thousand clients is dear, however little it is.
 *
 * @param handOn never rejects
 * @param sizeBytesOf what a record takes in memory, roughly
 * @param signal ends it, with what was not handed on
 */
export function gatherRecords<LogRecord>(
  handOn: (records: LogRecord[]) => Promise<void>,
  sizeBytesOf: (record: LogRecord) => number,
  pauseMs: number,
  signal: AbortSignal,
): RecordGatherer<LogRecord> {
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
      await handOn(records);
      // Rejects only when it is to end, which the loop looks for.
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    isRunning = false;
    room.resolve();
  }

  return {
    async add(records) {
      gathered.push(...records);
      for (const record of records) sizeBytes += sizeBytesOf(record);
      const { promise: hasRoom } = room;
      void run();
      if (sizeBytes > gatheredMaxBytes) await hasRoom;
    },
  };
}

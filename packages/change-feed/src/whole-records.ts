import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";

/** Entries of a snapshot, and the place that it was begun at. */
interface Batch {
  readonly entries: readonly FeedEntry[];
  readonly sequence: bigint;
  readonly identity: string;
}

/**
 * The batches of a snapshot, in which all states of a record stand together: of one that goes on in the next batch what
 * came so far waits for that. So nobody sees a state of a record as its present one that is not the last.
 */
export async function* wholeRecords(messages: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  let waiting: Batch | undefined;
  for await (const { entries, ...place } of messages) {
    const all = waiting === undefined ? entries : [...waiting.entries, ...entries];
    const last = all.at(-1);
    const end = last === undefined ? 0 : all.findLastIndex((entry) => !isSame(entry, last)) + 1;
    waiting = { entries: all.slice(end), ...place };
    yield { entries: all.slice(0, end), ...place };
  }
  if (waiting !== undefined) yield waiting;
}

function isSame(one: FeedEntry, other: FeedEntry): boolean {
  return (
    one.kind === other.kind &&
    one.key.length === other.key.length &&
    one.key.every((member, index) => member === other.key[index])
  );
}

import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";

/**
 * The last state in a batch of each record of a kind by id; undefined when it is gone. A record may be taken
 * away, and told of again, in one batch.
 */
export function latestRecords<Desc extends DescMessage>(
  entries: readonly FeedEntry[],
  kind: string,
  schema: Desc,
): Map<string, MessageShape<Desc> | undefined> {
  return new Map(
    entries
      .filter((entry) => entry.kind === kind)
      .map(({ key, record }) => [key[0] ?? "", record && anyUnpack(record, schema)]),
  );
}

/** Those that are there. */
export function present<Record>(records: ReadonlyMap<string, Record | undefined>): Record[] {
  return [...records.values()].filter((record) => record !== undefined);
}

export function removedIds(records: ReadonlyMap<string, unknown>): string[] {
  return [...records].flatMap(([id, record]) => (record === undefined ? [id] : []));
}

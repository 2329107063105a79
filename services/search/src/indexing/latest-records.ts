import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";

/**
 * The last state of each record of a kind in a batch, by id; undefined when deleted. A batch may delete a record and
 * write it again.
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

export function present<Record>(records: ReadonlyMap<string, Record | undefined>): Record[] {
  return [...records.values()].filter((record) => record !== undefined);
}

export function removedIds(records: ReadonlyMap<string, unknown>): string[] {
  return [...records].flatMap(([id, record]) => (record === undefined ? [id] : []));
}

import type { KeyRange } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";

// The separator of the members of an identity is less than any character in them, so that joined keys have their order.
const separator = "\n";

/** Keys of a range that are stored in this column, where `condition` is true. */
const keysIn = (column: string, condition: string, { through }: KeyRange) => `(
  select ${column} as key from changelog.subject
  where type = $1 and is_observed and ${condition} and ${column} > $2
    ${through === undefined ? "" : `and ${column} <= $4`}
  order by ${column} limit $3
)`;

/** The first `limit` records of a range that the catalog has logged, deleted ones included, by their keys. */
export async function observedKeys(
  queryable: Queryable,
  range: KeyRange,
  limit: number,
): Promise<string[][]> {
  const { kind, after, through } = range;
  // Of long identities `key` has digests, which are adjacent.
  const digests = "key > E'sha256\\n' and key < E'sha256\\x0b' and full_key is not null";
  const rows = await queryable.read<{ key: string }>(
    `${keysIn("key", "full_key is null", range)} union all ${keysIn("full_key", digests, range)}
      order by key limit $3`,
    [
      kind,
      after.join(separator),
      limit,
      ...(through === undefined ? [] : [through.join(separator)]),
    ],
  );
  return rows.map(({ key }) => key.split(separator));
}

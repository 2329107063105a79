import type { RecordKey } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";

const pageSize = 500;

const page = {
  name: "changelog.observedRecords",
  text: `
    select id, type, coalesce(full_key, key) as key from changelog.subject
    where id > $1 and is_observed order by id limit ${pageSize}`,
};

/** The records that the catalog has told of, also those that are gone, in pages. */
export async function* observedRecords(queryable: Queryable): AsyncGenerator<RecordKey[]> {
  for (let after = 0n; ;) {
    const rows = await queryable.read<{ id: bigint; type: string; key: string }>(page, [after]);
    yield rows.map(({ type, key }) => ({ kind: type, key: key.split("\n") }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}

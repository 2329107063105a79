import { fromBinary } from "@bufbuild/protobuf";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Transaction } from "@storefront/database";
import { ownIdPattern } from "../domain/entry-id.ts";
import type { LoggedState } from "../domain/snapshot-change.ts";

interface Row {
  subject: bigint;
  record_digest: bigint | null;
  observed_at: Date;
  entry: Uint8Array | null;
}

// By their ids they are in the order of the writes, whenever they were stored. Those of an export, which are of
// another log, count where there are no others.
const find = {
  name: "changelog.findTold",
  text: `
    select distinct on (subject) subject, record_digest, observed_at,
      case when record_digest is null then entry end as entry
    from changelog.entry where subject = any($1::int8[]) and id ~ '${ownIdPattern}'
    order by subject, is_restored nulls first, id desc`,
};

/** What the newest entries say of records, foreign ones apart, by the records' numbers. */
export async function findLoggedStates(
  tx: Transaction,
  subjects: readonly bigint[],
): Promise<Map<bigint, LoggedState>> {
  const rows = await tx.read<Row>(find, [subjects]);
  return new Map(
    rows.map(({ subject, record_digest, observed_at, entry }) => [
      subject,
      {
        digest: record_digest ?? undefined,
        observedAt: observed_at,
        isDeletion: record_digest === 0n || (entry !== null && isDeletion(entry)),
      },
    ]),
  );
}

function isDeletion(entry: Uint8Array): boolean {
  return fromBinary(EntrySchema, entry).changes.some(
    ({ field, changeType }) => field === "*" && changeType === ChangeType.DELETE,
  );
}

import type { Transaction } from "@storefront/database";
import { identityOf } from "@storefront/import-format";
import type { RecordKind } from "../record-kind.ts";
import type { KeyState } from "./apply-observation.ts";
import type { CompiledKind } from "./compiled-kind.ts";

/** Separates members of an identity, which are identifiers and so without control characters. */
const separator = "\u001F";

/** The position of a record among the sightings of its kind. */
interface SightingPlace {
  /** Common member of the identity of the group. */
  readonly group: string;
  /** The others, joined. */
  readonly member: string;
}

/**
 * An expression for when a row's record was last seen: the row's time, or a later one of its sighting.
 *
 * @param row alias of the row of the kind's table
 */
export function seenAtSql(compiled: CompiledKind, row: string): string {
  const { kind, keyColumns } = compiled;
  const names = keyColumns.map(({ name }) => `${row}.${name}`);
  const [group] = names.splice(groupIndexOf(kind), 1);
  const member = names.length === 0 ? "''" : `concat_ws(U&'\\001F', ${names.join(", ")})`;
  return `greatest(${row}.observed_at, (
    select sighting.seen_at[array_position(sighting.members, ${member})]
    from ${tableOf(kind)} as sighting
    where sighting.kind = '${kind.name}' and sighting.group_key = ${group}))`;
}

/** Whether times of records that are only seen again are stored in sightings, or in the records' rows. */
export async function storesSightings(tx: Transaction, { kind }: CompiledKind): Promise<boolean> {
  const row = await tx.readOne<{ is_stored: boolean }>(
    `select exists (select from ${tableOf(kind)}_start) as is_stored`,
  );
  return row?.is_stored === true;
}

/**
 * Stores when records were seen again, under the writers' lock. One row is written for each group,
 * of any size; not by `on conflict`, which logs nearly twice as much.
 */
export async function storeSightings(
  tx: Transaction,
  { kind }: CompiledKind,
  states: readonly KeyState[],
): Promise<void> {
  const places = states.map(({ key }) => placeOf(kind, key));
  await tx.write(
    `with seen as (
        select group_key, ${inOrder}
        from unnest($2::text[], $3::text[], $4::timestamptz[]) as each(group_key, member, time)
        group by group_key
      ), moved as (
        update ${tableOf(kind)} as known set (members, seen_at) = (
          select ${inOrder} from (
            select member, max(time) as time from (
              select * from unnest(known.members, known.seen_at)
              union all select * from unnest(seen.members, seen.seen_at)
            ) as each(member, time) group by member
          ) as merged
        ) from seen where known.kind = $1 and known.group_key = seen.group_key
        returning known.group_key
      )
      insert into ${tableOf(kind)} (kind, group_key, members, seen_at)
        select $1, group_key, members, seen_at from seen
        where group_key not in (select group_key from moved) order by group_key`,
    [
      kind.name,
      places.map(({ group }) => group),
      places.map(({ member }) => member),
      states.map(({ observedAtMs }) => new Date(observedAtMs ?? 0).toISOString()),
    ],
  );
}

/** Removes the sighting of a record. */
export async function forgetSighting(
  tx: Transaction,
  { kind }: CompiledKind,
  key: readonly string[],
): Promise<void> {
  const { group, member } = placeOf(kind, key);
  await tx.write(
    `update ${tableOf(kind)} as known set (members, seen_at) = (
        select ${inOrder} from unnest(known.members, known.seen_at) as each(member, time)
        where member <> $3
      ) where kind = $1 and group_key = $2 and members <> array[$3::text]`,
    [kind.name, group, member],
  );
  await tx.write(
    `delete from ${tableOf(kind)} where kind = $1 and group_key = $2 and members = array[$3::text]`,
    [kind.name, group, member],
  );
}

// Always in the same order, so that an update of times only logs the times.
const inOrder = `array_agg(member order by member collate "C") as members,
  array_agg(time order by member collate "C") as seen_at`;

function placeOf(kind: RecordKind, key: readonly string[]): SightingPlace {
  const index = groupIndexOf(kind);
  return { group: key[index] ?? "", member: key.toSpliced(index, 1).join(separator) };
}

function groupIndexOf({ schema, sightingGroup }: RecordKind): number {
  return sightingGroup === undefined ? 0 : identityOf(schema).indexOf(sightingGroup);
}

/** The table of sightings in the schema of the kind's own. */
function tableOf({ table }: RecordKind): string {
  return `${table.slice(0, table.indexOf("."))}.sighting`;
}

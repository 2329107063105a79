import { create } from "@bufbuild/protobuf";
import { EntrySubjectSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { EntrySubject } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { Queryable, Transaction } from "@storefront/database";
import { createHash } from "node:crypto";
import { isSameState, namedApps, refText } from "../domain/subject-state.ts";
import type { SubjectRef, SubjectState } from "../domain/subject-state.ts";

/** A record that entries are about, with its states before and after a batch. */
export interface SubjectChange {
  readonly ref: SubjectRef;
  readonly before: SubjectState | undefined;
  readonly after: SubjectState;
}

export interface StoredSubject {
  readonly id: bigint;
  readonly state: SubjectState;
}

interface Row {
  id: bigint;
  type: string;
  key: string;
  namespace: string | null;
  app: string | null;
  item_id: string | null;
  is_observed: boolean;
  release_apps: string[];
}

const selected = `
  subject.id, subject.type, coalesce(subject.full_key, subject.key) as key, subject.namespace,
  subject.app, subject.item_id, subject.is_observed, array(
    select app from changelog.item_app where item = subject.id order by app
  ) as release_apps`;

const load = {
  name: "changelog.loadSubjects",
  text: `
    select ${selected}
    from unnest($1::text[], $2::text[]) as wanted(type, key)
    join changelog.subject on subject.type = wanted.type and subject.key = wanted.key`,
};

/** Rows of subjects read at a time; an item may name many applications, most name one. */
const pageRows = 1_000;

const subjectsPage = {
  name: "changelog.exportSubjects",
  text: `
    select ${selected} from changelog.subject
    where (subject.type, subject.key) > ($1, $2)
    order by subject.type, subject.key limit ${pageRows}`,
};

/** Columns with numbers of subjects; their own table last. */
const subjectReferences = [
  ["subject_move", "subject"],
  ["subject_scope", "subject"],
  ["item_app", "item"],
  ["subject", "id"],
] as const;

const upsert = `
  insert into changelog.subject (type, key, full_key, namespace, app, item_id, is_observed)
  select * from unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[])
  on conflict (type, key) do update set namespace = excluded.namespace, app = excluded.app,
    item_id = excluded.item_id, is_observed = excluded.is_observed
  returning id, type, coalesce(full_key, key) as key`;

/** The stored ones of the given records, by `refText`. */
export async function loadSubjects(
  tx: Transaction,
  refs: readonly SubjectRef[],
): Promise<Map<string, StoredSubject>> {
  const rows = await tx.read<Row>(load, [
    refs.map(({ type }) => type),
    refs.map(({ key }) => storedKeyOf(key)),
  ]);
  return new Map(rows.map((row) => [refText(row), { id: row.id, state: stateOf(row) }]));
}

/** Stored records by their numbers. */
export async function loadSubjectsByNumber(
  tx: Transaction,
  numbers: readonly bigint[],
): Promise<(StoredSubject & { readonly ref: SubjectRef })[]> {
  const rows = await tx.read<Row>(
    `select ${selected} from changelog.subject where id = any($1::int8[])`,
    [numbers],
  );
  return rows.map((row) => ({
    id: row.id,
    ref: { type: row.type, key: row.key },
    state: stateOf(row),
  }));
}

/** Everything that entries are about, by type and identity; one page is in memory at a time. */
export async function* everySubject(queryable: Queryable): AsyncGenerator<EntrySubject> {
  // Every identity has at least one character, so "" is before all of them.
  let after = ["", ""];
  for (;;) {
    const rows = await queryable.read<Row>(subjectsPage, after);
    for (const row of rows) {
      const { releaseApps, ...state } = stateOf(row);
      yield create(EntrySubjectSchema, {
        ...state,
        type: row.type,
        key: row.key.split("\n"),
        releaseApps: [...releaseApps],
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = [last.type, storedKeyOf(last.key)];
  }
}

/** Removes records that no entry is about and no list names. */
export async function removeSubjects(tx: Transaction, numbers: readonly bigint[]): Promise<void> {
  for (const [table, column] of subjectReferences) {
    await tx.write(`delete from changelog.${table} where ${column} = any($1::int8[])`, [numbers]);
  }
}

/**
 * Stores the records whose state changed.
 *
 * @returns their ids by `refText`, and every record whose lists may have changed: themselves, and those with an
 * application that one of them names.
 */
export async function storeSubjects(
  tx: Transaction,
  subjects: readonly SubjectChange[],
): Promise<{ ids: Map<string, bigint>; affected: bigint[] }> {
  const changed = subjects.filter(
    ({ before, after }) => before === undefined || !isSameState(before, after),
  );
  if (changed.length === 0) return { ids: new Map(), affected: [] };
  const { rows } = await tx.write<{ id: bigint; type: string; key: string }>(upsert, [
    changed.map(({ ref }) => ref.type),
    changed.map(({ ref }) => storedKeyOf(ref.key)),
    changed.map(({ ref }) => (storedKeyOf(ref.key) === ref.key ? null : ref.key)),
    changed.map(({ after }) => after.namespace ?? null),
    changed.map(({ after }) => after.app ?? null),
    changed.map(({ after }) => after.itemId ?? null),
    changed.map(({ after }) => after.isObserved),
  ]);
  const ids = new Map(rows.map((row) => [refText(row), row.id]));
  await storeReleaseApps(tx, changed, ids);

  const apps = new Set(
    changed.flatMap(({ ref, before, after }) => [
      ...namedApps(ref, before),
      ...namedApps(ref, after),
    ]),
  );
  const followers = await tx.read<{ id: bigint }>(
    "select id from changelog.subject where app = any($1::text[])",
    [[...apps]],
  );
  const affected = new Set([...ids.values(), ...followers.map(({ id }) => id)]);
  return { ids, affected: [...affected] };
}

async function storeReleaseApps(
  tx: Transaction,
  changed: readonly SubjectChange[],
  ids: ReadonlyMap<string, bigint>,
): Promise<void> {
  const items = changed.flatMap(({ ref, after }) => {
    const id = ids.get(refText(ref));
    return ref.type === "item" && id !== undefined ? [{ id, apps: after.releaseApps }] : [];
  });
  if (items.length === 0) return;
  await tx.write("delete from changelog.item_app where item = any($1::int8[])", [
    items.map(({ id }) => id),
  ]);
  const pairs = items.flatMap(({ id, apps }) => apps.map((app) => ({ id, app })));
  await tx.write(
    "insert into changelog.item_app (app, item) select * from unnest($1::text[], $2::int8[])",
    [pairs.map(({ app }) => app), pairs.map(({ id }) => id)],
  );
}

function stateOf(row: Row): SubjectState {
  return {
    namespace: row.namespace ?? undefined,
    app: row.app ?? undefined,
    itemId: row.item_id ?? undefined,
    releaseApps: row.release_apps,
    isObserved: row.is_observed,
  };
}

/** An entry of PostgreSQL's B-trees has at most 2,704 bytes, some of them for the type and the rest. */
const maxKeyBytes = 2_048;

/**
 * The key by which a record is stored and found: its identity, or a digest where that is too long for an index, as of
 * an asset whose three identifiers have 3,074 bytes. The two never collide: identities have no line feed, or two.
 */
function storedKeyOf(key: string): string {
  if (Buffer.byteLength(key) <= maxKeyBytes) return key;
  return `sha256\n${createHash("sha256").update(key).digest("hex")}`;
}

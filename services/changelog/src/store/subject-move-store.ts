import type { Transaction } from "@storefront/database";
import type { SubjectState } from "../domain/subject-state.ts";

/** Where a record was before a write moved it. */
export interface SubjectMove {
  readonly subject: bigint | undefined;
  /** Of the write, in the catalog's log. */
  readonly sequence: bigint;
  readonly before: SubjectState;
}

// A feed that is read anew moves records back and forth: what was noted first is true.
const insert = {
  name: "changelog.storeMoves",
  text: `
    insert into changelog.subject_move (subject, sequence, before)
    select subject, sequence, before::jsonb
    from unnest($1::int8[], $2::int8[], $3::text[]) as move(subject, sequence, before)
    on conflict (subject, sequence) do nothing`,
};

const take = `
  with taken as (
    delete from changelog.subject_move where subject = any($1::int8[]) and sequence >= $2
    returning subject, sequence, before
  )
  select distinct on (subject) subject, before from taken order by subject, sequence`;

/** Notes where records were, so that the writes can be undone. */
export async function storeMoves(tx: Transaction, moves: readonly SubjectMove[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.write(insert, [
    moves.map(({ subject }) => subject),
    moves.map(({ sequence }) => sequence),
    moves.map(({ before }) => JSON.stringify(before)),
  ]);
}

/** Forgets the moves of these records from a write on; gives the states before them, by record. */
export async function takeMovesFrom(
  tx: Transaction,
  subjects: readonly bigint[],
  sequence: bigint,
): Promise<Map<bigint, SubjectState>> {
  const { rows } = await tx.write<{ subject: bigint; before: Partial<SubjectState> }>(take, [
    subjects,
    sequence,
  ]);
  return new Map(rows.map(({ subject, before }) => [subject, stateOf(before)]));
}

/** JSON leaves out what is not known. */
function stateOf({
  namespace,
  app,
  itemId,
  releaseApps = [],
  isObserved = false,
}: Partial<SubjectState>): SubjectState {
  return { namespace, app, itemId, releaseApps, isObserved };
}

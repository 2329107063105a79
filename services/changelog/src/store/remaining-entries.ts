import type { Transaction } from "@storefront/database";
import { isOwn } from "./is-own.ts";

/** What the entries about a record still say of it. */
export interface RemainingEntries {
  /** Whether canonical ones are among them. */
  readonly hasOwn: boolean;
  /** The last one that other entries name. */
  readonly foreignNamespace: string | undefined;
}

const find = `
  select subject, bool_or(${isOwn}) as has_own,
    (array_agg(namespace order by position desc)
      filter (where namespace <> '' and not ${isOwn}))[1] as foreign_namespace
  from changelog.entry where subject = any($1::int8[]) group by subject`;

/** By record; those that no entry is about are not there. */
export async function findRemaining(
  tx: Transaction,
  subjects: readonly bigint[],
): Promise<Map<bigint, RemainingEntries>> {
  const rows = await tx.read<{
    subject: bigint;
    has_own: boolean;
    foreign_namespace: string | null;
  }>(find, [subjects]);
  return new Map(
    rows.map(({ subject, has_own, foreign_namespace }) => [
      subject,
      { hasOwn: has_own, foreignNamespace: foreign_namespace ?? undefined },
    ]),
  );
}

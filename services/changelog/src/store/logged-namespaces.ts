import type { Transaction } from "@storefront/database";
import { isOwn } from "./is-own.ts";

const find = `
  select distinct on (subject) subject, namespace from changelog.entry
  where subject = any($1::int8[]) and namespace <> '' and ${isOwn}
  order by subject, id desc`;

/** Where the newest canonical entries say that records are, by the records' numbers. */
export async function findLoggedNamespaces(
  tx: Transaction,
  subjects: readonly bigint[],
): Promise<Map<bigint, string>> {
  const rows = await tx.read<{ subject: bigint; namespace: string }>(find, [subjects]);
  return new Map(rows.map(({ subject, namespace }) => [subject, namespace]));
}

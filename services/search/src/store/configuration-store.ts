import type { Queryable, Transaction } from "@storefront/database";

/** A process that was not seen for so long, and did not say that it ends, was killed. */
const deadAfter = "interval '15 minutes'";

/** A configuration of the index, beside the others that were asked for. */
export interface ConfigurationRank {
  /** Whether it was ever asked for. */
  readonly isKnown: boolean;
  /** Whether none was asked for later. */
  readonly isNewest: boolean;
  /** Whether a process that asks for a newer one runs. */
  readonly isNewerAlive: boolean;
}

/** Where a configuration stands among those that were asked for. */
export async function rankConfiguration(
  queryable: Queryable,
  signature: string,
): Promise<ConfigurationRank> {
  const row = await queryable.readOne<ConfigurationRank>(
    `select own.number is not null as "isKnown",
        not exists (select from search.index_configuration
          where number > coalesce(own.number, 0)) as "isNewest",
        exists (select from search.index_replica
          join search.index_configuration as asked using (signature)
          where asked.number > coalesce(own.number, 0)
            and seen_at > clock_timestamp() - ${deadAfter}) as "isNewerAlive"
      from (values ($1::text)) as wanted(signature)
      left join search.index_configuration as own using (signature)`,
    [signature],
  );
  if (row === undefined) throw new Error("one row is always given");
  return row;
}

/** Lets a configuration be the newest. */
export async function askAnew(tx: Transaction, signature: string): Promise<void> {
  await tx.write(
    `insert into search.index_configuration (signature, number)
      values ($1, nextval('search.index_configuration_number'))
      on conflict (signature) do update set number = excluded.number`,
    [signature],
  );
}

/** Notes that a process runs, and what it asks for. */
export async function noteReplica(
  tx: Transaction,
  replica: string,
  signature: string,
): Promise<void> {
  await tx.write(
    `insert into search.index_replica (replica, signature) values ($1, $2)
      on conflict (replica) do update set seen_at = excluded.seen_at`,
    [replica, signature],
  );
  await tx.write(
    `delete from search.index_replica where seen_at < clock_timestamp() - ${deadAfter}`,
  );
}

/** The processes that are noted. */
export async function listReplicas(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.read<{ replica: string }>(
    "select replica from search.index_replica order by replica",
  );
  return rows.map(({ replica }) => replica);
}

/** Forgets processes. */
export async function removeReplicas(
  queryable: Queryable,
  replicas: readonly string[],
): Promise<void> {
  await queryable.write("delete from search.index_replica where replica = any($1::text[])", [
    replicas,
  ]);
}

/** The newest version of the projection that any process has written; 0 before the first. */
export async function newestProjection(queryable: Queryable): Promise<number> {
  const row = await queryable.readOne<{ version: number }>(
    "select coalesce(max(version), 0)::int4 as version from search.feed_lease",
  );
  return row?.version ?? 0;
}

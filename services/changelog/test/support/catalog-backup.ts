import type { Database, Transaction } from "@storefront/database";

/**
 * Keeps everything that the catalog has stored, as a dump would, in schema `backup`: tables and the places of
 * sequences. Works on every database, PGlite too.
 */
export async function backUpCatalog(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.script("drop schema if exists backup cascade; create schema backup");
    for (const name of await tablesOf(tx)) {
      await tx.write(`create table backup.${name} as select * from catalog.${name}`);
    }
    await tx.write(
      `create table backup.sequences as
        select sequencename as name, last_value from pg_sequences where schemaname = 'catalog'`,
    );
  });
}

/** Puts the catalog back to what was kept: sequences too, so that numbers are given a second time. */
export async function restoreCatalog(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // A dump is restored without triggers.
    await tx.write("set local session_replication_role = replica");
    for (const name of await tablesOf(tx)) {
      await tx.write(`delete from catalog.${name}`);
      await tx.write(
        `insert into catalog.${name} overriding system value select * from backup.${name}`,
      );
    }
    await tx.read(
      `select setval(('catalog.' || name)::regclass, coalesce(last_value, 1), last_value is not null)
        from backup.sequences`,
    );
  });
}

/** Parts of a partitioned table go with it. What migrations have done does not go back. */
async function tablesOf(tx: Transaction): Promise<string[]> {
  const rows = await tx.read<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'catalog'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migration'
      order by relname`,
  );
  return rows.map(({ name }) => name);
}

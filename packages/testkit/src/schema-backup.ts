/** A transaction of `@storefront/database`, as far as this module uses it. */
interface Transaction {
  read<Row>(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;
  write(statement: string): Promise<unknown>;
  script(sql: string): Promise<void>;
}

/** A database of `@storefront/database`, as far as this module uses it. */
interface Database {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

/**
 * Copies a service's schema, as a dump would, to schema `backup_<schema>`: tables and the positions of sequences.
 * Works on every database, PGlite too.
 */
export async function backUpSchema(database: Database, schema: string): Promise<void> {
  const backup = `backup_${schema}`;
  await database.transaction(async (tx) => {
    await tx.script(`drop schema if exists ${backup} cascade; create schema ${backup}`);
    for (const name of await tablesOf(tx, schema)) {
      await tx.write(`create table ${backup}.${name} as select * from ${schema}.${name}`);
    }
    await tx.write(
      `create table ${backup}.sequences as
        select sequencename as name, last_value from pg_sequences where schemaname = '${schema}'`,
    );
  });
}

/** Restores the schema from its backup: sequences too, so that numbers are used a second time. */
export async function restoreSchema(database: Database, schema: string): Promise<void> {
  const backup = `backup_${schema}`;
  await database.transaction(async (tx) => {
    // A dump is restored without triggers and checks of references.
    await tx.write("set local session_replication_role = replica");
    for (const name of await tablesOf(tx, schema)) {
      await tx.write(`delete from ${schema}.${name}`);
      await tx.write(
        `insert into ${schema}.${name} overriding system value select * from ${backup}.${name}`,
      );
    }
    await tx.read(
      `select setval(('${schema}.' || name)::regclass, coalesce(last_value, 1), last_value is not null)
        from ${backup}.sequences`,
    );
  });
}

/** Partitions are part of their table. Migrations are not restored. */
async function tablesOf(tx: Transaction, schema: string): Promise<string[]> {
  const rows = await tx.read<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migration'
      order by relname`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

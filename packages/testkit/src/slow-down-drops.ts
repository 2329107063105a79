import { onTestFinished } from "vitest";

/** What is used of a database of `@storefront/database`. */
interface Database {
  transaction<Result>(
    work: (tx: { script(sql: string): Promise<void> }) => Promise<Result>,
  ): Promise<Result>;
}

/**
 * Lets dropping a table take 0.6 s until the test has ended, as it takes that long or longer where tables are
 * large: more than limits of time that a test sets, which must not end what looks after the tables.
 */
export async function slowDownDrops(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.script(`
      create function public.take_time() returns event_trigger language plpgsql as $$
      begin
        perform pg_sleep(0.6);
      end
      $$;
      create event trigger slow_drop on ddl_command_start when tag in ('DROP TABLE')
        execute function public.take_time();`),
  );
  onTestFinished(() =>
    database.transaction((tx) =>
      tx.script("drop event trigger slow_drop; drop function public.take_time();"),
    ),
  );
}

import { onTestFinished } from "vitest";

/** A database of `@storefront/database`, as far as this module uses it. */
interface Database {
  transaction<Result>(
    work: (tx: { script(sql: string): Promise<void> }) => Promise<Result>,
  ): Promise<Result>;
}

/**
 * Makes dropping a table take 0.6 s until the end of the test, as it takes where tables are large. That exceeds
 * the timeouts that a test sets, which must not end maintenance.
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

import type { Database } from "@storefront/database";
import { tablesOf } from "../../src/engine/postgres/tables.ts";
import { listGenerations } from "../../src/store/generation-store.ts";

/**
 * Changes the data of search to that of a release without lows: prices without floors, and an index of an earlier
 * format. No process may follow meanwhile.
 */
export async function asReleaseBefore(database: Database): Promise<void> {
  await forgetFloors(database);
  await database.write(
    "update search.generation set signature = regexp_replace(signature, ' .* ', ' 2 ')",
  );
  for (const { number, signature } of await listGenerations(database)) {
    if (!signature.startsWith("postgres ")) continue;
    await database.write(`alter table ${tablesOf(number).offer} drop column out_since`);
  }
}

/** Changes prices to those of a release without lows, of one offer or of all. */
export async function forgetFloors(database: Database, offerId?: string): Promise<void> {
  await database.write(
    `update search.price set floor = null, lacks_floor = true, lowest_since = null
      from search.offer_number as known
      where known.number = price.number and ($1::text is null or offer_id = $1)`,
    [offerId ?? null],
  );
}

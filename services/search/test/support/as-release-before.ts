import type { Database } from "@storefront/database";
import { tablesOf } from "../../src/engine/postgres/tables.ts";
import { listGenerations } from "../../src/store/generation-store.ts";

/**
 * Leaves what search holds as a release without lows does: prices without what their lows are told by, and an index of an
 * earlier format. No process may follow meanwhile.
 */
export async function asReleaseBefore(database: Database): Promise<void> {
  await forgetFloors(database);
  await database.write(
    "update search.generation set signature = regexp_replace(signature, ' .* ', ' 2 ')",
  );
  for (const { number, signature } of await listGenerations(database)) {
    if (!signature.startsWith("postgres ")) continue;
    const { offer, price } = tablesOf(number);
    await database.transaction((tx) =>
      tx.script(
        `alter table ${offer} drop column out_since; alter table ${price} drop column lowest_since`,
      ),
    );
  }
}

/** Stores prices as a release without lows does, of one offer or of all. */
export async function forgetFloors(database: Database, offerId?: string): Promise<void> {
  await database.write(
    `update search.source_price
      set prices = (
        select jsonb_object_agg(region, price - 4) from jsonb_each(prices) as each(region, price))
      where $1::text is null or offer_id = $1`,
    [offerId ?? null],
  );
}

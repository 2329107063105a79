import { lockWriters, openDatabase } from "@storefront/database";

/** Ends a fault. */
export type Heal = () => Promise<void>;

/**
 * A session that was left open: it has the writers' locks of the changelog and the search, and a table of the pricing
 * that nothing can be read from. The index is gone as well, and cannot be built while that lasts.
 */
export async function holdLocks(databaseUrl: string): Promise<Heal> {
  const database = await openDatabase({ url: databaseUrl });
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = database.transaction(
    async (tx) => {
      await lockWriters(tx, "changelog");
      await lockWriters(tx, "search");
      await tx.script("lock table pricing.price in access exclusive mode");
      held.resolve();
      await released.promise;
    },
    { isUnlimited: true },
  );
  await Promise.race([held.promise, holding]);
  await database.write("delete from search.live_generation");
  return async () => {
    released.resolve();
    await holding;
    await database.close();
  };
}

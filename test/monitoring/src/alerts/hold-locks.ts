import { lockWriters, openDatabase } from "@storefront/database";

/** Ends a fault. */
export type Heal = () => Promise<void>;

/**
 * A session that stays open with the writers' locks of changelog and search, and an exclusive lock on a table of
 * pricing. The index is deleted as well, and cannot be rebuilt meanwhile.
 */
export async function holdLocks(databaseUrl: string): Promise<Heal> {
  const database = await openDatabase({ url: databaseUrl });
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = database.transaction(
    async (tx) => {
      await lockWriters(tx, "changelog");
      await lockWriters(tx, "search");
      await tx.script("lock table pricing.price in access exclusive mode");
      locked.resolve();
      await released.promise;
    },
    { isUnlimited: true },
  );
  await Promise.race([locked.promise, holding]);
  await database.write("delete from search.live_generation");
  return async () => {
    released.resolve();
    await holding;
    await database.close();
  };
}

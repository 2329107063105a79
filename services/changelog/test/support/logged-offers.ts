import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import type { TestDatabaseOptions } from "@storefront/testkit";
import { startFixture, upsert } from "./changelog-fixture.ts";
import type { ChangelogFixture } from "./changelog-fixture.ts";

/** A changelog that has logged 30 offers, their sandbox and a change. */
export interface LoggedOffers {
  readonly fixture: ChangelogFixture;
  /** Entries in the order of the log, which is commit order. */
  readonly logged: readonly Entry[];
}

export async function logOffers(options: TestDatabaseOptions): Promise<LoggedOffers> {
  const fixture = await startFixture(options);
  const offers = Array.from({ length: 30 }, (_, n) =>
    // Three of each time; every fifth was observed long before its commit.
    upsert("offer", n % 5 === 0 ? n - 1_000 : Math.floor(n / 3), {
      id: `o${n}`,
      namespace: "ns",
      title: `t${n}`,
    }),
  );
  await fixture.ingest(offers);
  await fixture.ingest([
    upsert("sandbox", 60, { id: "ns", title: "Sandbox" }),
    upsert("offer", 61, { id: "o1", namespace: "ns", title: "new" }),
  ]);
  await fixture.caughtUp();
  const { entries } = await fixture.changelog.listEntriesSince({ pageSize: 50 });
  return { fixture, logged: entries };
}

export function idsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ id }) => id);
}

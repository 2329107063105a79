import { fromBinary } from "@bufbuild/protobuf";
import { changeLogSource, LogMaintenance } from "@storefront/change-feed";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createLogger } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { catalogService } from "../src/catalog-service.ts";
import { migrateBefore } from "./migrate-before.ts";

// Writes like release 0.2.0.
const append = `
  insert into catalog.change_log (kind, key, namespace, observed_at, entry)
  select 'sandbox', '{x}', '', now(), '' from generate_series(1, $1::int4)`;

describeOnEachDatabase("a log that is migrated to partitions", (testDatabase) => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(testDatabase.options());
    await migrateBefore(database, "0007");
    await database.write(append, [20]);
    await database.write("delete from catalog.change_log where seq > 15");
    await migrate(database, catalogService.migrations);
  });
  afterAll(() => database.close());

  const sequences = async () =>
    (await database.read<{ seq: bigint }>("select seq from catalog.change_log order by seq")).map(
      ({ seq }) => Number(seq),
    );

  it("preserves its entries, and continues its sequence", async () => {
    expect(await sequences()).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    await database.write(append, [2]);
    expect((await sequences()).slice(-3)).toEqual([15, 21, 22]);
  });

  it("accepts writes of the previous release, on days with a partition and on others", async () => {
    const logger = createLogger({ service: "catalog", level: "silent" });
    await new LogMaintenance({ database, schema: "catalog", logger }).runOnce();
    const days = [0, 1, 2, 5, 400];
    for (const daysAhead of days) {
      await database.write(
        `insert into catalog.change_log (kind, key, namespace, observed_at, committed_at, entry)
        values ('sandbox', '{x}', '', now(), now() + interval '24 hours' * $1::int4, '')`,
        [daysAhead],
      );
    }
    const rows = await database.read<{ place: string }>(`
      select tableoid::regclass::text as place from catalog.change_log order by seq desc limit 5`);
    const places = rows.map(({ place }) => place.replace("catalog.", "")).toReversed();
    expect(places[0]).toBe("change_log_before_days");
    expect(places.slice(2, 4)).toEqual(Array(2).fill(expect.stringMatching(/^change_log_\d{8}$/)));
    expect(places[4]).toBe("change_log_other_days");
    expect(new Set(places).size).toBeGreaterThanOrEqual(4);
  });

  it("is read completely", async () => {
    const { entries, newest } = await changeLogSource(database, "catalog").read(0n);
    const all = await sequences();
    expect(entries.map((bytes) => Number(fromBinary(FeedEntrySchema, bytes).sequence))).toEqual(
      all,
    );
    expect(Number(newest.sequence)).toBe(all.at(-1));
  });
});

import type { Database } from "@storefront/database";
import { createLogger } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { fromBinary } from "@bufbuild/protobuf";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { changeLogSource, maxScannedEntries } from "../src/log/change-log-source.ts";
import { LogMaintenance } from "../src/index.ts";
import { identityOf } from "../src/log/log-source.ts";
import type { LogPosition, LogSource } from "../src/log/log-source.ts";
import { openFeedDatabase } from "./support/feed-fixture.ts";

const dayMs = 86_400_000;

interface Logged {
  readonly seq: bigint;
  readonly us: bigint | undefined;
}

interface WholeLog {
  readonly newest: LogPosition | undefined;
  readonly start: bigint;
  readonly from: LogPosition[][];
}

describeOnEachDatabase("a log of many days", (testDatabase) => {
  let database: Database;
  /** Of a process that read the log before. */
  let source: LogSource;
  beforeAll(async () => {
    database = await openFeedDatabase(testDatabase.options());
    source = changeLogSource(database, "owner");
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    for (const name of await partitions()) await database.write(`drop table owner.${name}`);
    await database.write("delete from owner.log_start");
    await database.write("truncate owner.change_log, owner.log_day restart identity");
  });

  const midnight = (daysAgo: number) =>
    new Date((Math.floor(Date.now() / dayMs) - daysAgo) * dayMs).toISOString();
  const partition = (daysAgo: number) =>
    `change_log_${midnight(daysAgo).slice(0, 10).replaceAll("-", "")}`;

  async function partitions(): Promise<string[]> {
    const rows = await database.read<{ name: string }>(`
      select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'owner.change_log'::regclass and relname <> 'change_log_other_days'`);
    return rows.map(({ name }) => name);
  }

  async function makeDays(...daysAgo: number[]): Promise<void> {
    for (const day of daysAgo) {
      await database.write(`
        create table owner.${partition(day)} partition of owner.change_log (primary key (seq))
        for values from ('${midnight(day)}') to ('${midnight(day - 1)}')`);
    }
  }

  /**
   * Writes two entries on each of the days in one statement, as any release does. Their sequences are so far
   * after the last one that no read spans the gap.
   */
  async function writeDaysAgo(...daysAgo: number[]): Promise<void> {
    await database.read(
      `select setval('owner.change_log_seq', nextval('owner.change_log_seq') + ${maxScannedEntries})`,
    );
    await database.write(
      `insert into owner.change_log (kind, key, namespace, observed_at, committed_at, entry)
      select 'sandbox', '{x}', '', now(), day + number * interval '1 second', ''
      from unnest($1::timestamptz[]) with ordinality as days (day, place),
        generate_series(1, 2) as number
      order by place, number`,
      [daysAgo.map(midnight)],
    );
  }

  const positionOf = ({ seq, us }: Logged) => ({ sequence: seq, identity: identityOf(us) });

  /** The log as the table has it, from its start and from each entry. */
  async function stored(): Promise<WholeLog> {
    const positions = await database.read<Logged>(`
      select seq, (extract(epoch from committed_at) * 1000000)::int8 as us from (
        select seq, committed_at from owner.change_log
        union all select sequence, committed_at from owner.log_start
      ) as entry order by seq`);
    const start = await database.readOne<{ sequence: bigint }>(
      "select sequence from owner.log_start",
    );
    if (start === undefined) positions.unshift({ seq: 0n, us: undefined });
    const from = positions.map((_, index) => positions.slice(index).map(positionOf));
    return { newest: from.at(-1)?.[0], start: start?.sequence ?? 0n, from };
  }

  /** The log as a source returns it, three entries at a time. */
  async function readWhole(log: LogSource): Promise<WholeLog> {
    const { from: known } = await stored();
    let start = 0n;
    const from: LogPosition[][] = [];
    for (const [first] of known) {
      const found: LogPosition[] = [];
      for (let after = first?.sequence ?? 0n; ;) {
        const batch = await log.read(after, undefined, 3);
        // Replaces the last position of the previous batch.
        found.splice(-1, 1, batch.at);
        if (batch.entries.length === 0) break;
        const entries = batch.entries.map((bytes) => fromBinary(FeedEntrySchema, bytes));
        found.push(
          ...entries.slice(0, -1).map(({ sequence, identity }) => ({ sequence, identity })),
        );
        found.push(batch.through);
        ({ start } = batch);
        after = batch.through.sequence;
      }
      from.push(found);
    }
    return { newest: await log.newest(), start, from };
  }

  /** Reads by a process that read the log before, and by another. */
  const read = async () => [
    await readWhole(source),
    await readWhole(changeLogSource(database, "owner")),
  ];
  const expected = async () => Array<WholeLog>(2).fill(await stored());

  it("is read completely, also on days without a partition and after days without entries", async () => {
    expect(await read()).toEqual(await expected());
    await makeDays(9, 8, 7, 6, 5, 2, 0);
    await writeDaysAgo(12, 9);
    expect(await read()).toEqual(await expected());
    await writeDaysAgo(8, 5, 4, 3);
    expect(await read()).toEqual(await expected());
    await writeDaysAgo(2);
    await writeDaysAgo(2, 0);
    expect(await read()).toEqual(await expected());
  });

  it("is read completely after the clock was set back past midnight", async () => {
    await makeDays(5, 4, 3, 2);
    await writeDaysAgo(5, 4, 5, 4);
    expect(await read()).toEqual(await expected());
    await writeDaysAgo(3, 2);
    await writeDaysAgo(4, 5);
    await writeDaysAgo(5, 4);
    await writeDaysAgo(2);
    expect(await read()).toEqual(await expected());
  });

  it("is read completely where entries were committed before days were stored", async () => {
    await makeDays(5, 4, 3, 2);
    await writeDaysAgo(5, 4, 3);
    await database.write("delete from owner.log_day");
    expect(await read()).toEqual(await expected());
    await writeDaysAgo(3, 2);
    expect(await read()).toEqual(await expected());
  });

  it("is read completely after old days were deleted", async () => {
    const logger = createLogger({ service: "test", level: "silent" });
    const retention = { retentionDays: 3, followerGraceDays: 0 };
    const maintenance = new LogMaintenance({ database, schema: "owner", retention, logger });
    await makeDays(9, 8, 7, 3, 2);
    await writeDaysAgo(9, 8, 7, 6, 3, 2);
    expect(await read()).toEqual(await expected());
    await maintenance.runOnce();
    expect(await read()).toEqual(await expected());
    const rows = await database.read("select from owner.log_day");
    expect(rows).toHaveLength(4);
    await writeDaysAgo(0);
    expect(await read()).toEqual(await expected());
  });

  it("is read completely where days were dropped by hand", async () => {
    await makeDays(6, 5, 4, 3);
    await writeDaysAgo(6, 5, 4, 3);
    await database.write(`drop table owner.${partition(5)}`);
    expect(await read()).toEqual(await expected());
    await database.write(`drop table owner.${partition(3)}`);
    expect(await read()).toEqual(await expected());
  });

  it("is read completely after a part of its history was lost", async () => {
    await makeDays(6, 5, 4, 3, 2);
    await writeDaysAgo(6, 5, 4, 3);
    expect(await read()).toEqual(await expected());
    await database.write(`
      delete from owner.change_log where seq > (select min(seq) + 2 from owner.change_log)`);
    await database.read(
      "select setval('owner.change_log_seq', (select max(seq) from owner.change_log))",
    );
    await database.write(`
      insert into owner.change_log (kind, key, namespace, observed_at, committed_at, entry)
      select 'sandbox', '{x}', '', now(), '${midnight(3)}', '' from generate_series(1, 9)`);
    expect(await read()).toEqual(await expected());
    await writeDaysAgo(4, 3, 2);
    expect(await read()).toEqual(await expected());
  });

  it("has only its last partitions scanned for its newest entries", async () => {
    for (let day = 20; day > 0; day--) {
      await makeDays(day);
      await writeDaysAgo(day);
    }
    const { sequence } = await source.newest();
    const [dayBefore] = await database.read<Logged>(
      "select seq from owner.change_log order by seq desc offset 2 limit 1",
    );
    const tail = await scannedBy(async () => {
      await source.newest();
      await source.read(sequence);
      await source.read(sequence - 1n);
    });
    expect(tail).toEqual([partition(1)]);
    const before = await scannedBy(() => source.read(dayBefore?.seq ?? 0n));
    expect(before).toEqual([partition(2), partition(1)]);
  });

  /** Names of the partitions that `work` scans. */
  async function scannedBy(work: () => Promise<unknown>): Promise<string[]> {
    const countScans = async () => {
      await database.read("select pg_stat_force_next_flush()");
      return await database.read<{ name: string; scans: bigint }>(`
        select relname::text as name, seq_scan + coalesce(idx_scan, 0) as scans
        from pg_stat_user_tables where schemaname = 'owner' and relname ~ '^change_log_'
        order by relname`);
    };
    const before = await countScans();
    await work();
    const after = await countScans();
    return after.flatMap(({ name, scans }, index) => (scans === before[index]?.scans ? [] : name));
  }
});

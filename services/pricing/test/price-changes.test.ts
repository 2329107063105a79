import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PriceChange } from "@storefront/contracts/pricing/v1/price_change";
import type { ListPriceChangesRequestSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { encodeEntry } from "@storefront/change-feed";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { describeOnEachMigratedDatabase, Seeded } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { priceSeen, startPricing } from "./harness.ts";
import type { RunningPricing } from "./harness.ts";
import { changesOf } from "./support/price-changes-model.ts";
import type { ModelChange } from "./support/price-changes-model.ts";
import { modelChangeOf, randomWrites, regionsWritten, send } from "./support/price-writes.ts";

type Start = MessageInitShape<typeof ListPriceChangesRequestSchema>["start"];

const beginning = "price-0000000000000";
const random = new Seeded(7);
const writes = randomWrites(240, random);
const anywhere = ["", ...regionsWritten];
const inRegion = (region: string) => (change: ModelChange) =>
  region === "" || change.region === region;

describeOnEachMigratedDatabase(
  "changes of prices",
  (testDatabase) => {
    let service: RunningPricing;
    beforeAll(async () => {
      service = await startPricing(testDatabase.options());
      await send(service, writes, random);
    });
    afterAll(() => service.close());

    const list = async (region: string, start: Start, pageSize = 500) =>
      await service.pricing.listPriceChanges({ region, pageSize, ...(start && { start }) });
    const after = (value: string): Start => ({ case: "afterChangeId", value });

    /** All changes after a position, page by page. */
    async function listAll(region: string, from: string, pageSize: number): Promise<PriceChange[]> {
      const { changes, throughChangeId } = await list(region, after(from), pageSize);
      expect(changes.length).toBeLessThanOrEqual(pageSize);
      if (throughChangeId === from) return changes;
      return [...changes, ...(await listAll(region, throughChangeId, pageSize))];
    }

    async function refusal(start: Start): Promise<[Code, ErrorReason | undefined]> {
      const { code, reason } = await refusalOf(list("", start));
      return [code, reason];
    }

    it.each(anywhere)(
      "are the differences between written states, in pages of any size (%j)",
      async (region) => {
        const expected = changesOf(writes).filter(inRegion(region));
        expect(expected.length).toBeGreaterThan(13);
        for (const pageSize of [13, 500]) {
          const changes = await listAll(region, beginning, pageSize);
          expect(changes.map(modelChangeOf)).toEqual(expected);
        }
      },
    );

    it.each(anywhere)(
      "are listed newest first without a start, with a position to continue from (%j)",
      async (region) => {
        const expected = changesOf(writes).filter(inRegion(region)).toReversed();
        for (const pageSize of [1, 20, 500]) {
          const { changes, throughChangeId } = await list(region, undefined, pageSize);
          expect(changes.map(modelChangeOf)).toEqual(expected.slice(0, pageSize));
          expect((await list(region, after(throughChangeId))).changes).toEqual([]);
        }
      },
    );

    it("have ascending ids and commit times", async () => {
      const { changes } = await list("", after(beginning));
      const ids = changes.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted());
      const times = changes.map(committedAtMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    });

    it("are listed since any time from the first that was not committed before it", async () => {
      const { changes } = await list("", after(beginning));
      const times = [...new Set(changes.map(committedAtMs))];
      const asked = times.filter((_time, index) => index % 10 === 0);
      for (const time of [0, ...asked, ...asked.map((each) => each + 1), Date.now() + 1000]) {
        const since = await list("", { case: "since", value: timestampFromMs(time) });
        expect(since.changes).toEqual(changes.filter((each) => committedAtMs(each) >= time));
      }
    });

    it("are streamed to watchers in the order of the list, then as they are committed", async () => {
      const ending = new AbortController();
      const { signal } = ending;
      const request = { region: "US", afterChangeId: beginning };
      const watched: PriceChange[] = [];
      const positions: string[] = [];
      const listed = (await list("US", after(beginning))).changes;
      const newest = (await list("", undefined)).throughChangeId;
      let isWritten = false;
      for await (const message of service.pricing.watchPriceChanges(request, { signal })) {
        watched.push(...message.changes);
        positions.push(message.throughChangeId);
        if (!isWritten && message.throughChangeId >= newest) {
          isWritten = true;
          await service.ingest([
            priceSeen(1, "watched", { original: 3n, now: 3n }),
            priceSeen(1, "watched", { original: 3n, now: 3n }, "EURO"),
            priceSeen(2, "watched", { original: 3n, now: 1n }),
          ]);
        }
        if (watched.length >= listed.length + 2) break;
      }
      ending.abort();
      expect(watched).toEqual((await list("US", after(beginning))).changes);
      expect(watched.slice(0, listed.length)).toEqual(listed);
      expect(positions[0]).toBe(beginning);
      expect(positions).toEqual(positions.toSorted());
      expect((await list("US", after(positions.at(-1) ?? ""))).changes).toEqual([]);
    });

    it("are watched from now on without a position, which the first message contains", async () => {
      const { throughChangeId } = await list("", undefined);
      for await (const first of service.pricing.watchPriceChanges({})) {
        expect(first).toMatchObject({ changes: [], throughChangeId });
        break;
      }
    });

    it("are not repeated for a forgotten price, also when it is observed again", async () => {
      const { throughChangeId: from } = await list("", undefined);
      const seen = priceSeen(1, "regretted", { original: 9n, now: 9n });
      const lower = priceSeen(2, "regretted", { original: 9n, now: 4n });
      await service.ingest([seen, lower]);
      expect((await list("", after(from))).changes).toHaveLength(2);
      const key = ["regretted", "US"];
      await service.ingestClient().forgetRecord({ kind: "price", key });
      const left = await list("", after(from));
      expect(left.changes).toMatchObject([{ offerId: "regretted", isForgotten: true }]);
      expect(left.changes[0]?.previousPrice).toBeUndefined();
      await service.ingest([seen]);
      const again = (await list("", after(from))).changes;
      expect(again.map(({ isForgotten }) => isForgotten)).toEqual([true, false]);
      expect(again[1]?.previousPrice).toBeUndefined();
    });

    it("are refused after positions that the log does not have", async () => {
      const { throughChangeId } = await list("", undefined);
      const another = throughChangeId.replace(/-[^-]+$/, "-1");
      const diverged = [Code.FailedPrecondition, ErrorReason.LOG_DIVERGED];
      const unknown = [Code.NotFound, ErrorReason.PRICE_CHANGE_NOT_FOUND];
      expect(await refusal(after(another))).toEqual(diverged);
      expect(await refusal(after("price-00000ffffffff-1"))).toEqual(diverged);
      expect(await refusal(after("price-0000000000001"))).toEqual(unknown);
      expect(await refusal(after("catalog-0000000000001"))).toEqual(unknown);
    });

    it("of a region are found in steps after any number of other writes", async () => {
      await service.ingest([priceSeen(1, "rare", { original: 1n, now: 1n }, "KZ")]);
      const { throughChangeId: start } = await list("", undefined);
      const observedAt = new Date();
      const other = { kind: "price", key: ["many", "US"], namespace: "", observedAt, changes: [] };
      await service.database.write(
        `insert into pricing.change_log (kind, key, namespace, observed_at, entry)
        select 'price', array['many', 'US'], '', $1, $2 from generate_series(1, 60000)`,
        [observedAt, encodeEntry(other)],
      );
      await service.ingest([priceSeen(2, "rare", { original: 1n, now: 0n }, "KZ")]);
      expect((await list("KZ", undefined)).changes).toHaveLength(1);
      const first = await list("KZ", after(start));
      expect(first.changes).toEqual([]);
      const second = await list("KZ", after(first.throughChangeId));
      expect(second.changes).toMatchObject([{ offerId: "rare" }]);
    });

    it("are refused after positions that were pruned", async () => {
      const [first, , third] = (await list("US", after(beginning), 3)).changes;
      const sequence = Number.parseInt(third?.id.slice(6, 19) ?? "", 16);
      await service.database.write(
        `insert into pricing.log_start (sequence, committed_at, began_at)
        select seq, committed_at, committed_at from pricing.change_log where seq = $1`,
        [sequence],
      );
      await service.database.write("delete from pricing.change_log where seq <= $1", [sequence]);
      const pruned = [Code.FailedPrecondition, ErrorReason.LOG_PRUNED];
      expect(await refusal(after(first?.id ?? ""))).toEqual(pruned);
      expect(await refusal({ case: "since", value: timestampFromMs(0) })).toEqual(pruned);
      expect((await list("US", after(third?.id ?? ""), 1)).changes).toHaveLength(1);
    });
  },
  ["pglite", "postgres"],
);

function committedAtMs({ committedAt }: PriceChange): number {
  return committedAt === undefined ? Number.NaN : timestampMs(committedAt);
}

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase("all records, listed by id", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      ...["b", "a", "c", "d", "e"].map((id) => offer(id, { offerType: id < "d" ? "DLC" : "GAME" })),
      ...["s2", "s1", "s3"].map((id) => seen({ case: "sandbox", value: { id } })),
      seen({ case: "offerText", value: { offerId: "a", locale: "de-DE", title: "Deutsch" } }),
    ]);
  });

  afterAll(() => running.stop());

  const list = async (request: { changedSince?: Timestamp; offerTypes?: string[] }) => {
    const ids: string[] = [];
    for (let hasMore = true; hasMore;) {
      const afterId = ids.at(-1) ?? "";
      const part = await running.catalog.listOffers({ ...request, afterId, pageSize: 2 });
      expect(part.offers.length).toBeLessThanOrEqual(2);
      ids.push(...part.offers.map(({ id }) => id));
      ({ hasMore } = part);
    }
    return ids;
  };

  it("come in pages without gaps or overlaps, also when the last one is full", async () => {
    expect(await list({})).toEqual(["a", "b", "c", "d", "e"]);
    expect(await list({ offerTypes: ["GAME", "NONE"] })).toEqual(["d", "e"]);
    expect(await list({ offerTypes: ["NONE"] })).toEqual([]);
    const { sandboxes, hasMore } = await running.catalogOverGrpc.listSandboxes({ pageSize: 3 });
    expect(sandboxes.map(({ id }) => id)).toEqual(["s1", "s2", "s3"]);
    expect(hasMore).toBe(false);
  });

  it("come with their text in the requested locale", async () => {
    const { texts } = await running.catalog.listOffers({ locale: "de-DE", pageSize: 200 });
    expect(texts.map(({ offerId, title }) => [offerId, title])).toEqual([["a", "Deutsch"]]);
  });

  it("are limited to those that changed since a time", async () => {
    const row = await running.database.readOne<{ last: Date }>(
      "select greatest((select max(changed_at) from catalog.offer), (select max(changed_at) from catalog.sandbox)) as last",
    );
    // Rounded up to the next millisecond.
    const changedSince = timestampFromDate(new Date((row?.last.getTime() ?? 0) + 1));
    const later = "2024-02-01T00:00:00Z";
    await running.ingest([
      offer("b", { offerType: "DLC" }, later),
      offer("c", { offerType: "EDITION" }, later),
      offer("f", {}, later),
      seen({ case: "sandbox", value: { id: "s1" } }, later),
      seen({ case: "sandbox", value: { id: "s2", title: "Named" } }, later),
    ]);
    expect(await list({ changedSince })).toEqual(["c", "f"]);
    const { sandboxes } = await running.catalog.listSandboxes({ changedSince });
    expect(sandboxes.map(({ id }) => id)).toEqual(["s2"]);
  });
});

function offer(id: string, members: { offerType?: string }, at?: string) {
  return seen({ case: "offer", value: { id, ...members } }, at);
}

import { Code, createClient } from "@connectrpc/connect";
import { equals, fromBinary } from "@bufbuild/protobuf";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { FeedEntrySchema, FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { createGrpcTransport, createTransport } from "@storefront/rpc";
import { describeOnEachMigratedDatabase, everyDriver } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { everyKind } from "./every-kind.ts";
import { seen, startCatalog } from "./start-catalog.ts";
import type { CatalogObservation, CatalogRecord, RunningCatalog } from "./start-catalog.ts";

const { WRITTEN, UNCHANGED, STALE } = IngestOutcome;

describeOnEachMigratedDatabase("ingest", suite, everyDriver);

function suite(database: TestDatabase): void {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
  });

  afterAll(() => running.stop());

  it("returns every kind in a snapshot of its feed, as logged", async () => {
    const observations = everyKind("snapshot");
    await running.ingest(observations);
    const transport = createTransport({ baseUrl: `http://127.0.0.1:${running.server.port}` });
    const feed = createClient(FeedService, transport);
    const messages = await Array.fromAsync(feed.readSnapshot({}));
    const current = messages.flatMap(({ entries }) => entries);
    expect(new Set(current.map(({ kind }) => kind))).toEqual(
      new Set(observations.map(({ record }) => record?.case)),
    );
    for (const record of current) {
      const logged = (await entriesOf(running, record.kind, record.key)).at(-1);
      if (logged !== undefined) logged.changes = [];
      expect(logged && equals(FeedEntrySchema, record, logged)).toBe(true);
    }
    await transport.close();
  });

  it("treats an explicit null in a text as a value, and ignores the order of its tags", async () => {
    const text = { offerId: "nulls", locale: "de", tags: [{ id: "1" }, { id: "2" }] };
    const seenText = (day: number, more: { title?: string; nullMembers?: string[] }) =>
      seen({ case: "offerText", value: { ...text, ...more } }, `2024-01-0${day}T00:00:00Z`);
    const { outcomes } = await running.ingest([
      seenText(1, {}),
      seenText(2, { nullMembers: ["title"] }),
      seenText(3, { nullMembers: ["title"] }),
      seenText(4, { title: "T" }),
      seenText(5, { nullMembers: ["title"] }),
      seenText(6, {}),
    ]);
    expect(outcomes).toEqual([WRITTEN, WRITTEN, UNCHANGED, WRITTEN, WRITTEN, WRITTEN]);
    const reordered = { ...text, tags: text.tags.toReversed() };
    const again = await running.ingest([
      seen({ case: "offerText", value: reordered }, "2024-01-07T00:00:00Z"),
    ]);
    expect(again.outcomes).toEqual([UNCHANGED]);
  });

  it("logs other kinds without changes", async () => {
    await running.ingest([seen({ case: "tag", value: { id: "log-tag", name: "Action" } })]);
    const entries = await entriesOf(running, "tag", ["log-tag"]);
    expect(entries.map(({ changes }) => changes)).toEqual([[]]);
  });

  it("deletes without cascade, stores the time, and logs the inverse of the first entry", async () => {
    await running.ingest([
      offerSeen({ id: "gone", namespace: "calluna", title: "Gone" }, "2024-01-01T00:00:00Z"),
      seen({ case: "offerText", value: { offerId: "gone", locale: "de-DE", title: "Weg" } }),
      seen({ case: "ranking", value: { collection: "top", offerId: "gone", position: 1 } }),
    ]);
    const { outcomes } = await running.ingest([
      deletion({ case: "offer", value: { id: "gone" } }, "2024-01-05T00:00:00Z"),
      deletion({ case: "offer", value: { id: "gone" } }, "2024-01-06T00:00:00Z"),
      deletion({ case: "offer", value: { id: "never" } }, "2024-01-06T00:00:00Z"),
      offerSeen({ id: "gone", title: "Old" }, "2024-01-04T00:00:00Z"),
    ]);
    expect(outcomes).toEqual([WRITTEN, UNCHANGED, UNCHANGED, STALE]);
    expect(await refusalOf(running.catalog.getOffer({ offerId: "gone" }))).toMatchObject({
      code: Code.NotFound,
    });
    const { rankedOffers } = await running.catalog.listRankedOffers({});
    expect(rankedOffers.map(({ offerId }) => offerId)).not.toContain("gone");
    const last = (await entriesOf(running, "offer", ["gone"])).at(-1);
    expect(last).toMatchObject({ namespace: "calluna" });
    expect(last?.record).toBeUndefined();
    expect(last?.changes).toMatchObject([{ field: "*", changeType: ChangeType.DELETE }]);

    await running.ingest([offerSeen({ id: "gone", title: "Back" }, "2024-01-07T00:00:00Z")]);
    const back = await running.catalog.getOffer({ offerId: "gone", locale: "de-DE" });
    expect([back.offer?.title, back.text?.title]).toEqual(["Back", "Weg"]);
  });

  it("counts items exactly through inserts, updates and deletions", async () => {
    const size = async () => (await running.catalog.listItems({})).totalSize;
    const before = await size();
    const item = (id: string, title: string, at: string) =>
      seen({ case: "item", value: { id, title } }, at);
    await running.ingest([
      item("n1", "A", "2024-01-01T00:00:00Z"),
      item("n2", "A", "2024-01-01T00:00:00Z"),
    ]);
    expect(await size()).toBe(before + 2n);
    await running.ingest([
      item("n1", "B", "2024-01-02T00:00:00Z"),
      item("n3", "A", "2024-01-02T00:00:00Z"),
    ]);
    expect(await size()).toBe(before + 3n);
    await running.ingest([
      deletion({ case: "item", value: { id: "n1" } }, "2024-01-03T00:00:00Z"),
      deletion({ case: "item", value: { id: "n9" } }, "2024-01-03T00:00:00Z"),
    ]);
    expect(await size()).toBe(before + 2n);
  });

  it("removes an offer from a collection by position 0", async () => {
    const at = (position: number, time: string) =>
      seen({ case: "ranking", value: { collection: "wish", offerId: "ranked", position } }, time);
    await running.ingest([
      offerSeen({ id: "ranked" }, "2024-01-01T00:00:00Z"),
      at(3, "2024-01-01T00:00:00Z"),
    ]);
    const ranked = async () =>
      (await running.catalog.listRankedOffers({})).rankedOffers.map(({ offerId }) => offerId);
    expect(await ranked()).toContain("ranked");
    const { outcomes } = await running.ingest([
      at(0, "2024-01-02T00:00:00Z"),
      at(0, "2024-01-03T00:00:00Z"),
    ]);
    expect(outcomes).toEqual([WRITTEN, UNCHANGED]);
    expect(await ranked()).not.toContain("ranked");
  });

  it("preserves details that an observation leaves out", async () => {
    const details = (members: { media?: { a: number }; polls?: { b: number } }, at: string) =>
      seen({ case: "offerDetails", value: { offerId: "detailed", ...members } }, at);
    const { outcomes } = await running.ingest([
      offerSeen({ id: "detailed" }, "2024-01-01T00:00:00Z"),
      details({ media: { a: 1 } }, "2024-01-01T00:00:00Z"),
      details({ polls: { b: 2 } }, "2024-01-02T00:00:00Z"),
      details({}, "2024-01-03T00:00:00Z"),
      details({ polls: { b: 3 } }, "2024-01-04T00:00:00Z"),
    ]);
    expect(outcomes).toEqual([WRITTEN, WRITTEN, WRITTEN, UNCHANGED, WRITTEN]);
    const overview = await running.catalog.getOfferOverview({ offerId: "detailed" });
    expect(overview.details).toMatchObject({ media: { a: 1 }, polls: { b: 3 } });
  });

  it("requires the token", async () => {
    for (const token of [undefined, "a-token-for-the-test"]) {
      const transport = createGrpcTransport({
        address: `127.0.0.1:${running.server.grpcPort}`,
        ...(token !== undefined && { token }),
      });
      const client = createClient(CatalogIngestService, transport);
      const call = Array.fromAsync(client.exportCatalog({}));
      expect(await refusalOf(call)).toMatchObject({
        code: Code.Unauthenticated,
        reason: ErrorReason.INVALID_TOKEN,
      });
      await transport.close();
    }
  });
}

function offerSeen(value: Extract<CatalogRecord, { case: "offer" }>["value"], at: string) {
  return seen({ case: "offer", value }, at);
}

function deletion(record: CatalogRecord, at: string): CatalogObservation {
  return { ...seen(record, at), operation: ObservationOperation.DELETE };
}

async function entriesOf({ database }: RunningCatalog, kind: string, key: string[]) {
  const rows = await database.read<{ entry: Uint8Array }>(
    "select entry from catalog.change_log where kind = $1 and key = $2::text[] order by seq",
    [kind, key],
  );
  return rows.map(({ entry }) => fromBinary(FeedEntrySchema, entry));
}

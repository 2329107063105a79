import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seen, startCatalog } from "./start-catalog.ts";
import type { CatalogRecord, RunningCatalog } from "./start-catalog.ts";

const { WRITTEN, UNCHANGED, STALE, REJECTED } = IngestOutcome;
const operation = ObservationOperation.DELETE;

describeOnEachMigratedDatabase("the limits of records", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
  });

  afterAll(() => running.stop());

  it.each<[string, CatalogRecord]>([
    ["title", { case: "offer", value: { id: "h", title: "a\0b" } }],
    ["items[1].id", { case: "offer", value: { id: "h", items: [{ id: "ok" }, { id: "" }] } }],
    ["eulaIds[1]", { case: "item", value: { id: "h", eulaIds: ["ok", "a\nb"] } }],
    ["releaseInfo[0].id", { case: "item", value: { id: "h", releaseInfo: [{ id: "" }] } }],
    [
      "nullMembers",
      { case: "offerText", value: { offerId: "h", locale: "de", nullMembers: ["id"] } },
    ],
  ])("rejects only the record with an invalid %s (%#)", async (field, record) => {
    const { outcomes, rejections } = await running.ingest([
      seen(record),
      offerSeen({ id: "beside" }, new Date().toISOString()),
    ]);
    expect(outcomes[0]).toBe(REJECTED);
    expect(outcomes[1]).not.toBe(REJECTED);
    expect(rejections.map((rejection) => [rejection.index, rejection.field])).toEqual([[0, field]]);
  });

  it("rejects an offer of 3.95 MB over gRPC: at most 1 MiB as a line of the import format", async () => {
    const value = { id: "large", productSlug: "x".repeat(3_950_000) };
    const { outcomes, rejections } = await running.ingest([
      offerSeen(value, "2024-01-01T00:00:00Z"),
      offerSeen({ id: "beside" }, new Date().toISOString()),
    ]);
    expect(outcomes[0]).toBe(REJECTED);
    expect(outcomes[1]).not.toBe(REJECTED);
    const reason = "offer must be at most 3.5 MiB in protobuf";
    expect(rejections).toMatchObject([{ index: 0, field: "", reason }]);
  });

  it("limits a record by the length of its line in an export, to the byte", async () => {
    const lineOf = (record: object) =>
      JSON.stringify({ kind: "offer", op: "upsert", observedAt: at, record });
    const at = "2024-01-01T00:00:00.000Z";
    const rest = lineOf({ id: "line", productSlug: "" }).length;
    const longest = "ü\n".repeat((1024 * 1024 - rest) / 4) + "x".repeat((1024 * 1024 - rest) % 4);
    const seenAs = (productSlug: string, day: number) =>
      offerSeen({ id: "line", productSlug }, `2024-01-0${day}T00:00:00Z`);
    const { outcomes, rejections } = await running.ingest([
      seenAs(longest, 1),
      seenAs(`${longest}x`, 2),
    ]);
    expect(outcomes).toEqual([WRITTEN, REJECTED]);
    const reason = "offer must be at most 1 MiB as a line of the import format";
    expect(rejections).toMatchObject([{ index: 1, field: "", reason }]);
  });

  it("rejects details that fit alone, but not together with the stored ones", async () => {
    const half = { text: "x".repeat(600_000) };
    const details = (day: number, value: object) =>
      seen(
        { case: "offerDetails", value: { offerId: "details", ...value } },
        `2024-01-0${day}T00:00:00Z`,
      );
    const { outcomes, rejections } = await running.ingest([
      details(1, { media: half }),
      details(2, { polls: half }),
      details(3, { polls: { text: "x" } }),
    ]);
    expect(outcomes).toEqual([WRITTEN, REJECTED, WRITTEN]);
    expect(rejections).toMatchObject([{ index: 1, field: "" }]);
  });

  it("rejects observations more than 24 hours ahead of the clock, and does not store their time", async () => {
    const hourMs = 60 * 60 * 1000;
    const ahead = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
    const { outcomes, rejections } = await running.ingest([
      offerSeen({ id: "ahead" }, "9999-12-31T23:59:59Z"),
      { ...offerSeen({ id: "ahead" }, "9999-12-31T23:59:59Z"), operation },
      offerSeen({ id: "ahead" }, ahead(25)),
      offerSeen({ id: "ahead" }, "2024-01-01T00:00:00Z"),
      offerSeen({ id: "ahead", title: "T" }, ahead(23)),
    ]);
    expect(outcomes).toEqual([REJECTED, REJECTED, REJECTED, WRITTEN, WRITTEN]);
    const reason = "observedAt must be at most 24 hours ahead of the service's clock";
    const fault = { field: "observedAt", reason };
    expect(rejections).toMatchObject([fault, fault, fault]);
  });

  it("stores values at the limits, and values that look like SQL, unchanged", async () => {
    const longest = String.fromCodePoint(0x1f600);
    const value = {
      id: longest.repeat(256),
      namespace: "x".repeat(256),
      title: `'"\\{},$1;--%_NULL${longest}`,
      productSlug: longest.repeat(100_000),
      urlSlug: '{"a\\',
      items: [{ id: longest.repeat(256) }],
    };
    const { outcomes } = await running.ingest([offerSeen(value, "2024-01-01T00:00:00Z")]);
    expect(outcomes).toEqual([WRITTEN]);
    const { offer } = await running.catalog.getOffer({ offerId: value.id });
    expect(offer).toMatchObject({ title: value.title, productSlug: value.productSlug });
    const { mappings } = await running.catalog.resolveSlugs({ slugs: ['{"a\\'] });
    expect(mappings[0]?.offerId).toBe(value.id);
  });

  it("returns many records of the largest size in one response, on both ports", async () => {
    const longDescription = "€".repeat(262_144);
    const offerIds = many(8, (index) => `large-${index}`);
    for (const id of offerIds) {
      await running.ingest([offerSeen({ id, longDescription }, "2024-01-01T00:00:00Z")]);
    }
    for (const client of [running.catalog, running.catalogOverGrpc]) {
      const { offers } = await client.batchGetOffers({ offerIds });
      expect(offers.map(({ id }) => id)).toEqual(offerIds);
    }
  });

  it("stores, finds and deletes an asset with the longest identity", async () => {
    const [artifactId = "", platform = "", namespace = ""] = many(3, incompressible);
    const record = { case: "asset", value: { artifactId, platform, namespace } } as const;
    const first = await running.ingest([
      seen({ case: "sandbox", value: { id: namespace } }),
      seen(record, "2024-01-01T00:00:00Z"),
      seen({ ...record, value: { ...record.value, title: "T" } }, "2024-01-02T00:00:00Z"),
    ]);
    expect(first.outcomes).toEqual([WRITTEN, WRITTEN, WRITTEN]);
    const { assets } = await running.catalog.listSandboxAssets({ sandboxId: namespace });
    expect(assets).toMatchObject([{ artifactId, platform, namespace, title: "T" }]);

    const deleted = { ...seen(record, "2024-01-04T00:00:00Z"), operation };
    const second = await running.ingest([deleted, seen(record, "2024-01-03T00:00:00Z")]);
    expect(second.outcomes).toEqual([WRITTEN, STALE]);
    const third = await running.ingest([deleted]);
    expect(third.outcomes).toEqual([UNCHANGED]);
    const after = await running.catalog.listSandboxAssets({ sandboxId: namespace });
    expect(after.assets).toEqual([]);
  });
});

/** 256 characters of 4 bytes that hardly compress. */
function incompressible(seed: string): string {
  return many(256, (at) =>
    String.fromCodePoint(0x20000 + (((Number(seed) + 1) * 7_919 + Number(at) * 104_729) % 40_000)),
  ).join("");
}

function offerSeen(value: Extract<CatalogRecord, { case: "offer" }>["value"], at: string) {
  return seen({ case: "offer", value }, at);
}

function many<T>(count: number, element: (index: string) => T): T[] {
  return Array.from({ length: count }, (_, index) => element(String(index)));
}

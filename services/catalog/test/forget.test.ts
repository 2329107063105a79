import { fromBinary } from "@bufbuild/protobuf";
import { Code, createClient } from "@connectrpc/connect";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { createGrpcTransport } from "@storefront/rpc";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { seen, startCatalog } from "./start-catalog.ts";
import type { CatalogRecord, RunningCatalog } from "./start-catalog.ts";

const { WRITTEN, STALE } = IngestOutcome;
const operation = ObservationOperation.DELETE;

describeOnEachMigratedDatabase("forgetting a record", (testDatabase) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(testDatabase.options());
  });

  afterAll(() => running.stop());

  it("accepts older observations of it again, also after one from the year 9999", async () => {
    const offer = (title: string): CatalogRecord => ({ case: "offer", value: { id: "o", title } });
    await running.ingest([seen(offer("far")), seen(offer("other"), "2024-01-01T00:00:01Z")]);
    // As stored by a release that did not check the time.
    const farFuture = "9999-12-31T23:59:59Z";
    await running.database.write("update catalog.offer set observed_at = $1", [farFuture]);
    expect((await running.ingest([seen(offer("now"), "2024-06-01T00:00:00Z")])).outcomes).toEqual([
      STALE,
    ]);

    const forgotten = await running.ingestClient.forgetRecord({ kind: "offer", key: ["o"] });
    expect(forgotten.wasStored).toBe(true);
    expect(forgotten.observedAt && timestampDate(forgotten.observedAt)).toEqual(
      new Date(farFuture),
    );
    expect((await running.ingest([seen(offer("old"), "2020-01-01T00:00:00Z")])).outcomes).toEqual([
      WRITTEN,
    ]);
    const entries = await logOf(running, "offer");
    expect(entries.map(({ isForgotten }) => isForgotten)).toEqual([false, false, true, false]);
    expect(entries[2]).toMatchObject({
      key: ["o"],
      changes: [{ changeType: ChangeType.DELETE, field: "*" }],
    });
    expect(entries[2]?.record).toBeUndefined();
    expect(entries[2]?.observedAt && timestampDate(entries[2].observedAt).getTime()).toBeLessThan(
      Date.now() + 1,
    );
  });

  it("logs no change where another stack forgot it, whose changelog is mirrored too", async () => {
    await running.ingest([seen({ case: "item", value: { id: "mirrored" } })]);
    const request = { kind: "item", key: ["mirrored"], isMirrored: true };
    expect((await running.ingestClient.forgetRecord(request)).wasStored).toBe(true);
    const last = (await logOf(running, "item")).at(-1);
    expect(last).toMatchObject({ key: ["mirrored"], isForgotten: true, changes: [] });
  });

  it("removes its tombstone too, and leaves other records unchanged", async () => {
    const [artifactId, platform, namespace] = ["a".repeat(256), "Windows", "n"] as const;
    const asset: CatalogRecord = { case: "asset", value: { artifactId, platform, namespace } };
    await running.ingest([
      seen({ case: "sandbox", value: { id: namespace } }),
      seen(asset),
      { ...seen(asset, "2024-01-02T00:00:00Z"), operation },
      seen({ case: "asset", value: { artifactId, platform: "Mac", namespace } }),
    ]);
    expect((await running.ingest([seen(asset)])).outcomes).toEqual([STALE]);
    const { wasStored, observedAt } = await running.ingestClient.forgetRecord({
      kind: "asset",
      key: [artifactId, platform, namespace],
    });
    expect(wasStored).toBe(false);
    expect(observedAt).toBeDefined();
    expect((await running.ingest([seen(asset)])).outcomes).toEqual([WRITTEN]);
    const { assets } = await running.catalog.listSandboxAssets({ sandboxId: "n" });
    expect(assets.map((each) => each.platform)).toEqual(["Mac", "Windows"]);
  });

  it("logs no entry when it is unknown", async () => {
    const response = await running.ingestClient.forgetRecord({ kind: "tag", key: ["unknown"] });
    expect(response).toMatchObject({ wasStored: false });
    expect(response.observedAt).toBeUndefined();
    expect(await logOf(running, "tag")).toEqual([]);
  });

  it.each([
    ["kind", { kind: "price", key: ["o", "US"] }],
    ["key", { kind: "asset", key: ["a"] }],
    ["key[1]", { kind: "ranking", key: ["c", ""] }],
  ])("refuses an invalid %s by its field", async (field, request) => {
    const refusal = await refusalOf(running.ingestClient.forgetRecord(request));
    expect(refusal).toMatchObject({ code: Code.InvalidArgument, fields: [field] });
  });

  it("requires the token", async () => {
    const address = `127.0.0.1:${running.server.grpcPort}`;
    const grpc = createGrpcTransport({ address, token: "another" });
    const client = createClient(CatalogIngestService, grpc);
    const refusal = await refusalOf(client.forgetRecord({ kind: "offer", key: ["o"] }));
    await grpc.close();
    expect(refusal).toMatchObject({ code: Code.Unauthenticated });
  });
});

async function logOf({ database }: RunningCatalog, kind: string): Promise<FeedEntry[]> {
  const rows = await database.read<{ entry: Uint8Array }>(
    "select entry from catalog.change_log where kind = $1 order by seq",
    [kind],
  );
  return rows.map(({ entry }) => fromBinary(FeedEntrySchema, entry));
}

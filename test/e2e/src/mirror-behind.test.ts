import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { openDatabase } from "@storefront/database";
import { createGrpcTransport } from "@storefront/rpc";
import { freePort, makeTemporaryDirectory, startStack } from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  exportedLines,
  importLines,
  smallCatalogue,
  untilExported,
  untilMirrored,
} from "./exported-lines.ts";
import type { Observation } from "./model/read-observations.ts";
import { variedWrites } from "./varied-writes.ts";

describe("a mirror that was down for longer than the retention of the origin's logs", () => {
  let originFiles: TemporaryDirectory;
  let origin: TestStack;
  let copy: TestStack;
  let fresh: TestStack;
  let port: string;
  let observations: Observation[];

  const startOrigin = () =>
    startStack({ dataDirectory: originFiles.path, parameters: ["--empty", "--port", port] });

  beforeAll(async () => {
    originFiles = await makeTemporaryDirectory();
    port = String(await freePort());
    observations = await smallCatalogue();
    [origin, copy, fresh] = await Promise.all([startOrigin(), startStack(), startStack()]);
    await importLines(origin, [
      ...observations,
      ...variedWrites(observations, "before the snapshot", "2025-07-01"),
      regionToForget,
      ...recordsToForget,
      moved,
    ]);
  });
  afterAll(async () => {
    await Promise.all([origin, copy, fresh].map((stack) => stack.stop()));
    await originFiles.remove();
  });

  async function forget(kind: string, ...key: readonly string[]): Promise<void> {
    const name = owners[kind] ?? "catalog";
    const token = await readFile(`${originFiles.path}/ingest-token`, "utf8");
    const address = origin.services[name]?.grpcAddress ?? "";
    const transport = createGrpcTransport({ address, token: token.trim() });
    try {
      const client = createClient(ingestServices[name], transport);
      expect(await client.forgetRecord({ kind, key: [...key] })).toHaveProperty("observedAt");
    } finally {
      await transport.close();
    }
  }

  /** Deletes all entries of the origin's logs, as their retention does after some weeks. */
  async function pruneLogs(): Promise<void> {
    const database = await openDatabase({ url: `pglite:${originFiles.path}` });
    try {
      for (const schema of ["catalog", "pricing", "reviews"]) {
        await database.transaction((tx) =>
          tx.script(`
            insert into ${schema}.log_start (sequence, committed_at, began_at)
            select max(seq), max(committed_at), min(committed_at) from ${schema}.change_log;
            delete from ${schema}.change_log`),
        );
      }
    } finally {
      await database.close();
    }
  }

  const mirrorOf = (stack: TestStack) =>
    stack.startCli(["mirror", `http://127.0.0.1:${port}`, "--json"]);

  it("exports the same bytes as a new mirror", { timeout: 900_000 }, async () => {
    let mirror = mirrorOf(copy);
    await untilExported(copy, await exportedLines(origin), 300_000);
    await untilMirrored(copy);
    mirror.process.kill("SIGKILL");
    await mirror.ended;

    await importLines(origin, variedWrites(observations, "while it is away", "2025-08-01"));
    const keys = recordsToForget.map(({ kind, record }) => [kind, ...keyOf(kind, record)]);
    for (const key of new Map(keys.map((each) => [each.join(), each])).values()) {
      const [kind = "", ...members] = key;
      await forget(kind, ...members);
    }
    // After its price: a region with prices cannot be forgotten.
    await forget("region", regionToForget.record.id);
    await importLines(origin, [...afterForgetting, ...movedAndDeleted]);
    await exportedLines(origin);
    await origin.stop();
    await pruneLogs();
    origin = await startOrigin();

    mirror = mirrorOf(copy);
    const isComparing = () =>
      expect(mirror.written.stderr).toContain("Looking for records that the origin has forgotten");
    await vi.waitFor(isComparing, { timeout: 120_000 });
    mirror.process.kill("SIGKILL");
    await mirror.ended;
    await writeFile(`${copy.dataDirectory}/mirror-snapshot.ndjson.gz`, "damaged");
    mirror = mirrorOf(copy);
    const freshMirror = mirrorOf(fresh);
    await importLines(origin, variedWrites(observations, "while it is mended", "2025-09-01"));
    const wanted = await exportedLines(origin);
    await Promise.all([copy, fresh].map((stack) => untilExported(stack, wanted, 300_000)));
    for (const { process, ended } of [mirror, freshMirror]) {
      process.kill("SIGTERM");
      expect((await ended).status).toBe(0);
    }
    expect(freshMirror.written.stderr).not.toContain("Looking for records");
  });
});

const at = (day: string) => `2025-05-${day}T00:00:00.000Z`;

const regionToForget = {
  kind: "region",
  observedAt: at("01"),
  record: { id: "GONE", currencyCode: "USD", currencyDecimals: 2, countries: ["QX"] },
};

/** Records that the origin forgets while the copy is down. Their identities sort before, between and after the others. */
const recordsToForget = [
  { kind: "offer", observedAt: at("01"), record: { id: "! gone", title: "gone" } },
  { kind: "offer", observedAt: at("20"), record: { id: "~ older", title: "wrongly late" } },
  { kind: "offer", observedAt: at("20"), record: { id: "~ same time", title: "wrong" } },
  { kind: "offer", observedAt: at("20"), record: { id: "~ deleted", title: "late" } },
  { kind: "offer", op: "delete", observedAt: at("20"), record: { id: "~ tombstone" } },
  { kind: "offer", op: "delete", observedAt: at("20"), record: { id: "~ was a tombstone" } },
  { kind: "offerDetails", observedAt: at("01"), record: { offerId: "~ merged", media: { a: 1 } } },
  {
    kind: "asset",
    observedAt: at("01"),
    record: { artifactId: "a", platform: "p", namespace: "n" },
  },
  { kind: "review", observedAt: at("01"), record: { id: "gone", offerId: "o", title: "gone" } },
  { kind: "giveaway", observedAt: at("01"), record: { id: "gone", offerId: "o" } },
  ...["gone", "other past", "longer past", "tombstone later"].map((offerId) =>
    price(offerId, "10", 1000),
  ),
  { ...price("tombstone later", "20", 0), op: "delete" },
  price("seen again too late", "10", 1000),
  price("seen again too late", "20", 1000),
  { ...price("tombstone alone", "20", 0), op: "delete" },
  price("in a region that is gone", "10", 1000, regionToForget.record.id),
];

/** Later observations of some of them. */
const afterForgetting = [
  { kind: "offer", observedAt: at("10"), record: { id: "~ older", title: "right" } },
  { kind: "offer", observedAt: at("20"), record: { id: "~ same time", title: "right" } },
  { kind: "offer", op: "delete", observedAt: at("10"), record: { id: "~ deleted" } },
  { kind: "offer", observedAt: at("10"), record: { id: "~ was a tombstone", title: "there" } },
  { kind: "offerDetails", observedAt: at("02"), record: { offerId: "~ merged", polls: { b: 2 } } },
  price("other past", "11", 900),
  price("longer past", "05", 2000),
  price("longer past", "10", 1000),
  price("tombstone later", "10", 1000),
  { ...price("tombstone later", "15", 0), op: "delete" },
  price("seen again too late", "10", 1000),
];

/** Its last namespace decides which lists have its changes. */
const moved = {
  kind: "offer",
  observedAt: at("01"),
  record: { id: "~ moved", title: "moved", namespace: "from" },
};
const movedAndDeleted = [
  { ...moved, observedAt: at("02"), record: { ...moved.record, namespace: "to" } },
  { ...moved, observedAt: at("03"), op: "delete" },
];

/** All have the same `forgetRecord`. */
const ingestServices = {
  catalog: CatalogIngestService,
  pricing: PricingIngestService,
  reviews: ReviewsIngestService,
};

const owners: Readonly<Record<string, keyof typeof ingestServices>> = {
  region: "pricing",
  price: "pricing",
  giveaway: "pricing",
  review: "reviews",
};

const identities: Readonly<Record<string, readonly string[]>> = {
  asset: ["artifactId", "platform", "namespace"],
  offerDetails: ["offerId"],
  price: ["offerId", "region"],
};

function keyOf(kind: string, record: Readonly<Record<string, unknown>>): string[] {
  return (identities[kind] ?? ["id"]).map((member) => String(record[member]));
}

function price(offerId: string, day: string, originalPrice: number, region = "US") {
  const money = { currencyCode: "USD", originalPrice, discountPrice: originalPrice };
  return { kind: "price", observedAt: at(day), record: { offerId, region, price: money } };
}

import { CommitSignal } from "@storefront/change-feed";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { openDatabase } from "@storefront/database";
import { createMetrics } from "@storefront/process";
import { parseMetrics, sumOf } from "@storefront/testkit";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { createTables, seen } from "../test/harness.ts";
import { offerKind, rankingKind } from "../test/kinds.ts";
import { ingestHandler } from "./stream/ingest-handler.ts";
import type { WireObservation } from "./stream/ingest-handler.ts";

test("observations are counted by kind and outcome, with series from the start, and batches are measured", async () => {
  const metrics = createMetrics({ service: "test" });
  const database = await openDatabase({ url: "pglite:memory:" });
  await createTables(database);
  const kinds = [offerKind, rankingKind];
  const commits = new CommitSignal();
  const ingest = ingestHandler({ database, schema: "test", kinds, commits, metrics });
  const read = async () => parseMetrics(await metrics.metrics());
  expect((await read()).get("ingest_observations_total")?.samples).toHaveLength(8);

  const offer = offerAt(1, "one");
  const broken = { ...offer, observedAt: undefined };
  const nothing = { ...offer, record: { case: undefined } };
  for (const observations of [[offer, broken, nothing], [offer]]) {
    const { done } = await ingest(only({ observations })).next();
    expect(done).toBe(false);
  }
  const page = await read();
  const count = (kind: string, outcome: string) =>
    sumOf(page, "ingest_observations_total", { kind, outcome });
  expect(count("offer", "written")).toBe(1);
  expect(count("offer", "unchanged")).toBe(1);
  expect(count("offer", "rejected")).toBe(1);
  expect(count("none", "rejected")).toBe(1);
  expect(sumOf(page, "ingest_observations_total")).toBe(4);
  expect(sumOf(page, "ingest_batch_duration_seconds_count")).toBe(2);
  await database.close();
});

function offerAt(minute: number, id: string): WireObservation {
  const { record, observedAt } = seen(minute, "offer", { id, namespace: "n" });
  return {
    operation: ObservationOperation.UPSERT,
    observedAt: timestampFromDate(observedAt),
    record: { case: "offer", value: record },
  };
}

async function* only<Value>(value: Value): AsyncGenerator<Value> {
  yield value;
}

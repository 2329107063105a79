import type { Environment } from "@storefront/process";
import { makeTemporaryDirectory } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { stat } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dataFile, writeStackFile } from "../src/stack/data-directory.ts";
import { findIngestToken, makeIngestToken } from "../src/stack/ingest-token.ts";
import { readSampleDataMarker, writeSampleDataMarker } from "../src/stack/ensure-sample-data.ts";
import { createServiceConnections } from "../src/stack/service-connections.ts";
import { UserError } from "../src/user-error.ts";

describe("a data directory", () => {
  let data: TemporaryDirectory;
  beforeEach(async () => {
    data = await makeTemporaryDirectory();
  });
  afterEach(() => data.remove());

  it("stores one ingest token, readable by its owner only", async () => {
    const tokens = await Promise.all([1, 2, 3].map(() => makeIngestToken(data.path, {})));
    expect(new Set(tokens).size).toBe(1);
    expect((await stat(dataFile.ingestToken(data.path))).mode & 0o777).toBe(0o600);
  });

  it("is overridden by INGEST_TOKEN, unless that is too short", async () => {
    await makeIngestToken(data.path, {});
    const given = "a-token-of-the-environment";
    expect(await makeIngestToken(data.path, { INGEST_TOKEN: given })).toBe(given);
    await expect(makeIngestToken(data.path, { INGEST_TOKEN: "short" })).rejects.toThrow(UserError);
  });

  it("is overridden by a service's own token, the first of several", async () => {
    const env = {
      INGEST_TOKEN: "the-old-token-of-all,the-new-token-of-all",
      CATALOG_INGEST_TOKEN: "the-token-of-the-catalog,another-of-the-catalog",
    };
    expect(await makeIngestToken(data.path, env)).toBe(env.INGEST_TOKEN);
    expect(await findIngestToken(data.path, env, "catalog")).toBe("the-token-of-the-catalog");
    expect(await findIngestToken(data.path, env, "pricing")).toBe("the-old-token-of-all");
    const wrong = { CATALOG_INGEST_TOKEN: "the-token-of-the-catalog,short" };
    await expect(findIngestToken(data.path, wrong, "catalog")).rejects.toThrow(UserError);
  });

  it("has the addresses of the running stack, unless the environment has them", async () => {
    const connect = (env: Environment) =>
      createServiceConnections({ dataDirectory: data.path, env });
    await expect((await connect({})).open("catalog")).rejects.toThrow(UserError);
    const catalog = { url: "http://127.0.0.1:1", grpcAddress: "127.0.0.1:2" };
    await writeStackFile(data.path, { pid: 1, gatewayUrl: "http://x", services: { catalog } });
    const connections = await connect({ PRICING_GRPC_URL: "https://pricing:3" });
    expect(await connections.open("catalog")).toBeDefined();
    expect(await connections.open("pricing")).toBeDefined();
    expect(await connections.open("reviews")).toBeUndefined();
    await connections[Symbol.asyncDispose]();
    const wrong = await connect({ PRICING_GRPC_URL: "ftp://pricing:3" });
    await expect(wrong.open("pricing")).rejects.toThrow(UserError);
  });

  it("stores the state of sample data for each database", async () => {
    await writeSampleDataMarker(data.path, "pglite:.data", { state: "none" });
    await writeSampleDataMarker(data.path, "postgres://user:secret@host/db", {
      state: "complete",
      offers: 1,
      seed: 1,
      now: "2026-01-01T00:00:00.000Z",
    });
    expect(await readSampleDataMarker(data.path, "pglite:.data")).toEqual({ state: "none" });
    expect(await readSampleDataMarker(data.path, "postgres://user:secret@host/db")).toMatchObject({
      state: "complete",
    });
    expect(await readSampleDataMarker(data.path, "postgres://other/db")).toBeUndefined();
  });
});

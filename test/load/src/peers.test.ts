import { describeUnlessMissing, missingPostgres } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startContestants } from "./catalogue/start-contestants.ts";
import type { Contestants } from "./catalogue/start-contestants.ts";
import { checkSameAnswers } from "./check-same-answers.ts";
import { startChild } from "./child-process.ts";
import { checkSameOffers, nestGet, ourGet } from "./grpc-get.ts";

describeUnlessMissing("the peers of the bench", missingPostgres(), () => {
  let all: Contestants;
  let paths: string[];
  let offerIds: string[];
  beforeAll(async () => {
    all = await startContestants(200);
    const { offers, listOfferIds } = all.records;
    // Of all kinds, with and without a price.
    offerIds = offers.map(({ id }) => id);
    paths = [
      ...offerIds.map((id) => `/offers/${id}`),
      ...listOfferIds.map((id) => `/offers/${id}/collection`),
    ];
  });
  afterAll(async () => {
    await all.stop();
  });

  it("Nest responds like the gateway", async () => {
    await expect(checkSameAnswers(all.uncachedUrl, all.nestUrl, paths)).resolves.toBeUndefined();
  });

  it("Fastify responds like the gateway", async () => {
    await expect(checkSameAnswers(all.uncachedUrl, all.fastifyUrl, paths)).resolves.toBeUndefined();
  });

  it("node:http responds like the gateway", async () => {
    const some = paths.slice(0, 10);
    const { child, first } = await startChild("../peers/fixed-bytes-server.ts", [
      all.cachedUrl,
      ...some,
    ]);
    const peerUrl = `http://127.0.0.1:${(first as { port: number }).port}`;
    try {
      await expect(checkSameAnswers(all.cachedUrl, peerUrl, some)).resolves.toBeUndefined();
    } finally {
      await child.stop();
    }
  });

  it("Nest and Fastify respond with 404 to an unknown offer like the gateway", async () => {
    for (const url of [all.uncachedUrl, all.nestUrl, all.fastifyUrl]) {
      expect((await fetch(`${url}/offers/unknown`)).status).toBe(404);
    }
  });

  it("Nest responds like the catalog over gRPC", async () => {
    const ours = { address: all.catalogGrpcAddress, get: ourGet };
    const peer = { address: all.nestGrpcAddress, get: nestGet() };
    await expect(checkSameOffers(ours, peer, offerIds.slice(0, 50))).resolves.toBeUndefined();
  });
});

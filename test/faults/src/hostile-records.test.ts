import { createClient } from "@connectrpc/connect";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { createGrpcTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import { departures } from "@storefront/test-contract/documented-answer";
import { describeOnEachMigratedDatabase, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { Pool } from "undici";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { hostileOwners } from "./hostile/hostile-owners.ts";
import type { StoredRecord } from "./hostile/hostile-owners.ts";
import { recordTargets } from "./hostile/record-targets.ts";
import { sendRequest } from "./hostile/send-request.ts";

const token = "a-token-for-hostile-records";

/** Batches of 20 to 40 observations to each owner; more by `TEST_HOSTILE_BATCHES`. */
const batches = Number(process.env["TEST_HOSTILE_BATCHES"] ?? 20);

/** Time limit for followers to apply all of it, and for the index to exist. */
const catchUpTimeoutMs = 30_000;

/** Longest wait for a response: a request has 5 s, a machine under load some more. */
const responseTimeoutMs = 15_000;

/** Records of these kinds have entries in the changelog. */
const loggedKinds = ["offer", "item", "asset", "build", "sandbox"];

describeOnEachMigratedDatabase(
  "hostile records",
  (database) => {
    let stack: TestStack;
    let pool: Pool;
    let transports: Record<string, ClosableTransport>;

    beforeAll(async () => {
      const url = database.driver === "pglite" ? {} : { DATABASE_URL: database.options().url };
      stack = await startStack({ env: { INGEST_TOKEN: token, ...url } });
      pool = new Pool(stack.gatewayUrl, { connections: 8, pipelining: 1 });
      transports = Object.fromEntries(
        Object.entries(stack.services).map(([name, { grpcAddress: address }]) => [
          name,
          createGrpcTransport({ address, token }),
        ]),
      );
    });
    afterAll(async () => {
      await pool.close();
      await Promise.all(Object.values(transports).map((transport) => transport.close()));
      await stack.stop();
    });

    const to = (service: string) => {
      const transport = transports[service];
      if (transport === undefined) throw new Error(`no ${service}`);
      return transport;
    };

    it(
      "are rejected by index and rule, or reach the changelog, the search and REST responses",
      async () => {
        const seed = Number(process.env["TEST_HOSTILE_SEED"] ?? Date.now() % 2 ** 31);
        process.stderr.write(`TEST_HOSTILE_SEED=${seed}\n`);
        let entries = 0;
        const stored: StoredRecord[] = [];
        for (const owner of hostileOwners) {
          const taken = await owner.send(to(owner.name), batches, seed);
          const { written, replayed } = taken;
          // A batch without records of most kinds proves little.
          expect(written.size).toBeGreaterThan(owner.kinds / 2);
          for (const { sent, outcomes, rejections } of taken.batches) {
            expect(outcomes).toHaveLength(sent);
            expect(rejections.map(({ index }) => index)).toEqual(rejectedOf(outcomes));
            for (const { reason, field } of rejections) {
              expect(reason).toContain(field);
              expect(reason).toMatch(/ (?:must|is required|has a member)/);
            }
          }
          expect(replayed.map(({ outcomes }) => rejectedOf(outcomes))).toEqual(
            taken.batches.map(({ outcomes }) => rejectedOf(outcomes)),
          );
          expect(replayed.flatMap(({ outcomes }) => outcomes)).not.toContain(IngestOutcome.WRITTEN);
          for (const kind of loggedKinds) entries += written.get(kind) ?? 0;
          stored.push(...(await owner.stored(to(owner.name))));
        }

        const changelog = createClient(ChangelogService, to("changelog"));
        const search = createClient(SearchService, to("search"));
        const offers = stored.filter(({ kind }) => kind === "offer").length;
        const counts = async () => ({
          logged: Number((await changelog.listEntries({ pageSize: 1 })).totalSize),
          entries: Number((await search.searchEntries({ pageSize: 1 })).totalSize),
          offers: Number((await search.searchOffers({ query: {}, region: "US" })).totalSize),
        });
        const expected = { logged: entries, entries, offers };
        await vi.waitFor(async () => expect(await counts()).toEqual(expected), {
          timeout: catchUpTimeoutMs,
          interval: 50,
        });

        const wrong: unknown[] = [];
        for (const target of recordTargets(stored)) {
          const request = { method: "GET", target, headers: {} };
          const response = await sendRequest(pool, request, responseTimeoutMs);
          const problems = departures(request, response);
          if (response.status !== 200) problems.push(`status ${response.status}`);
          if (problems.length > 0)
            wrong.push({ target, problems, body: response.body.slice(0, 200) });
        }
        expect(wrong).toEqual([]);
        expect((await fetch(`${stack.gatewayUrl}/health`)).status).toBe(200);
        expect(stack.log()).not.toMatch(/"level":"(?:error|fatal)"|uncaught|unhandled/i);
      },
      60_000 + batches * 5_000,
    );
  },
  ["pglite", "postgres"],
);

function rejectedOf(outcomes: readonly IngestOutcome[]): number[] {
  return outcomes.flatMap((outcome, index) => (outcome === IngestOutcome.REJECTED ? [index] : []));
}

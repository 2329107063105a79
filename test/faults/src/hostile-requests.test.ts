import { drillsAreLong, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import * as fc from "fast-check";
import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { departures } from "@storefront/test-contract/documented-answer";
import { hostileBytes } from "./hostile/hostile-bytes.ts";
import { hostileRequest } from "./hostile/hostile-request.ts";
import type { HostileRequest } from "./hostile/hostile-request.ts";
import { findKnownIds } from "./hostile/known-ids.ts";
import type { KnownIds } from "./hostile/known-ids.ts";
import { sendBytes } from "./hostile/send-bytes.ts";
import { sendRequest } from "./hostile/send-request.ts";

/** Longest wait for a response: a request has 5 s, a machine under load some more. */
const responseTimeoutMs = 15_000;

/** A long run takes half a minute on two cores that have nothing else to do. */
const runTimeoutMs = 300_000;

const adminToken = "a token of hostile requests";

const connections = 32;
const batches = drillsAreLong ? 190 : 40;
const requestsPerBatch = 100;
const rawBatches = drillsAreLong ? 15 : 5;
const rawPerBatch = 100;

/** Least number of successful and of rejected requests: with fewer, the requests test one side only. */
const leastOfEach = (batches * requestsPerBatch) / 10;

describe("a gateway that receives arbitrary requests", () => {
  let stack: TestStack;
  let servicesPid: number;
  let pool: Pool;
  let known: KnownIds;
  const counts = new Map<number, number>();

  beforeAll(async () => {
    const env = { ADMIN_TOKEN: adminToken };
    stack = await startStack({ parameters: ["--offers", "80"], env });
    servicesPid = await stack.servicesPid();
    pool = new Pool(stack.gatewayUrl, { connections, pipelining: 1 });
    known = await findKnownIds(stack.gatewayUrl);
  });
  afterAll(async () => {
    await pool.close();
    await stack.stop();
  });

  async function problemsOf(request: HostileRequest): Promise<string[]> {
    const token = request.target.startsWith("/webhooks")
      ? { authorization: `Bearer ${adminToken}` }
      : {};
    const headers = { ...token, ...request.headers };
    const response = await sendRequest(pool, { ...request, headers }, responseTimeoutMs);
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    const defects =
      response.status === 500 || response.status === 502 ? [`${response.status}`] : [];
    return [...defects, ...departures(request, response)];
  }

  async function expectUnharmed(): Promise<void> {
    expect((await fetch(`${stack.gatewayUrl}/health`)).status).toBe(200);
    expect(stack.process.exitCode).toBeNull();
    expect(await stack.servicesPid()).toBe(servicesPid);
    expect(stack.log()).not.toMatch(/"level":"(?:error|fatal)"|uncaught|unhandled/i);
  }

  it(
    "responds as the OpenAPI document says, in time and without an internal error",
    async () => {
      const property = fc.asyncProperty(
        fc.array(hostileRequest(known), {
          minLength: requestsPerBatch,
          maxLength: requestsPerBatch,
        }),
        async (requests) => {
          const problems = await Promise.all(requests.map(problemsOf));
          const wrong = requests.flatMap((request, index) =>
            problems[index]?.length === 0 ? [] : [{ request, problems: problems[index] }],
          );
          expect(wrong).toEqual([]);
        },
      );
      await fc.assert(property, { numRuns: batches, endOnFailure: true });
      process.stderr.write(`responses by status: ${JSON.stringify(Object.fromEntries(counts))}\n`);
      expect(counts.get(200)).toBeGreaterThan(leastOfEach);
      expect(counts.get(400)).toBeGreaterThan(leastOfEach);
      await expectUnharmed();
    },
    runTimeoutMs,
  );

  it(
    "responds to or closes every connection, whatever it receives",
    async () => {
      const property = fc.asyncProperty(
        fc.array(hostileBytes, { minLength: rawPerBatch, maxLength: rawPerBatch }),
        async (messages) => {
          const replies = await Promise.all(
            messages.map((bytes) => sendBytes(stack.gatewayUrl, bytes, responseTimeoutMs)),
          );
          const wrong = replies.flatMap(({ isClosed, responses, rest }, index) => {
            const problems = responses.flatMap((response) => {
              const defects = response.status >= 500 ? [`status ${response.status}`] : [];
              return [...defects, ...rawDepartures(response)];
            });
            if (!isClosed) problems.push("left open");
            if (rest !== "") problems.push(`incomplete response: ${rest.slice(0, 200)}`);
            return problems.length === 0
              ? []
              : [{ bytes: messages[index]?.toString("latin1"), problems }];
          });
          expect(wrong).toEqual([]);
        },
      );
      await fc.assert(property, { numRuns: rawBatches, endOnFailure: true });
      await expectUnharmed();
    },
    runTimeoutMs,
  );
});

/** Departures of a response to bytes that may not be a request. */
function rawDepartures(response: Parameters<typeof departures>[1]): string[] {
  const method = response.status === 204 ? "OPTIONS" : response.body === "" ? "HEAD" : "GET";
  const target = response.status === 200 ? "/regions" : "/";
  return departures({ method, target }, response);
}

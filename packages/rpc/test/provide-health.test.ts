import { createClient } from "@connectrpc/connect";
import {
  DependencyKind,
  HealthService,
  HealthStatus,
} from "@storefront/contracts/health/v1/health_service";
import type { CheckHealthResponse } from "@storefront/contracts/health/v1/health_service";
import { createLogger, createMetrics } from "@storefront/process";
import { expect, it } from "vitest";
import { createTransport, provideHealth, serve } from "../src/index.ts";
import type { DependencyProbe, FeedLag } from "../src/index.ts";

async function checkHealth(probes: readonly DependencyProbe[]): Promise<CheckHealthResponse> {
  const server = await serve({
    name: "test",
    port: 0,
    grpcPort: 0,
    host: "127.0.0.1",
    services: [provideHealth(probes)],
    logger: createLogger({ service: "test", level: "silent" }),
    metrics: createMetrics({ service: "test" }),
  });
  const transport = createTransport({ baseUrl: `http://127.0.0.1:${server.port}` });
  try {
    return await createClient(HealthService, transport).checkHealth({}, { timeoutMs: 5000 });
  } finally {
    await transport.close();
    await server.close();
  }
}

function probe(name: string, run: () => Promise<FeedLag | undefined>): DependencyProbe {
  return { kind: DependencyKind.FEED, name, probe: run };
}

it("all dependencies respond: OK, with latency and the lag of a feed", async () => {
  const { status, dependencies } = await checkHealth([
    probe("catalog", () => Promise.resolve({ lagEntries: 3n, lagSeconds: 0.5 })),
    probe("pricing", () => Promise.resolve(undefined)),
  ]);
  expect(status).toBe(HealthStatus.OK);
  expect(dependencies).toMatchObject([
    { name: "catalog", status: HealthStatus.OK, lagEntries: 3n, lagSeconds: 0.5 },
    { name: "pricing", status: HealthStatus.OK },
  ]);
  expect(dependencies[0]?.latencyMs).toBeGreaterThanOrEqual(0);
});

it("one fails and one is silent: ERROR before a deadline of 5 s, without latency for those", async () => {
  const { status, dependencies } = await checkHealth([
    probe("fails", () => Promise.reject(new Error("down"))),
    probe("silent", () => new Promise(() => undefined)),
    probe("answers", () => Promise.resolve(undefined)),
  ]);
  expect(status).toBe(HealthStatus.ERROR);
  expect(dependencies.map((each) => [each.name, each.status])).toEqual([
    ["fails", HealthStatus.ERROR],
    ["silent", HealthStatus.ERROR],
    ["answers", HealthStatus.OK],
  ]);
  expect(dependencies[1]?.latencyMs).toBeUndefined();
});

import { createClient } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import {
  DependencyKind,
  HealthService,
  HealthStatus,
} from "@storefront/contracts/health/v1/health_service";
import { createTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import { describeOnEachMigratedDatabase, everyDriver } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase("feed and health", suite, everyDriver);

function suite(database: TestDatabase): void {
  let running: RunningCatalog;
  let transport: ClosableTransport;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    transport = createTransport({ baseUrl: `http://127.0.0.1:${running.server.port}` });
  });

  afterAll(async () => {
    await transport.close();
    await running.stop();
  });

  it("streams what is committed, in the order of commit", async () => {
    await running.ingest([seen({ case: "sandbox", value: { id: "first" } })]);
    const watching = new AbortController();
    const keys: string[] = [];
    const changes = createClient(FeedService, transport).watchChanges(
      { afterSequence: 0n, kinds: ["sandbox", "item"] },
      { signal: watching.signal, timeoutMs: 0 },
    );
    for await (const { entries } of changes) {
      keys.push(...entries.flatMap(({ key }) => key));
      if (keys.length === 1) {
        await running.ingest([
          seen({ case: "item", value: { id: "second" } }),
          seen({ case: "tag", value: { id: "not-asked-for" } }),
          seen({ case: "sandbox", value: { id: "third" } }),
        ]);
      }
      if (keys.length >= 3) break;
    }
    watching.abort();
    expect(keys).toEqual(["first", "second", "third"]);
  });

  it("reports its database", async () => {
    const health = await createClient(HealthService, transport).checkHealth({});
    expect(health).toMatchObject({
      status: HealthStatus.OK,
      dependencies: [{ kind: DependencyKind.DATABASE, status: HealthStatus.OK }],
    });
  });

  it("is ready once it is migrated", async () => {
    const answer = await fetch(`http://127.0.0.1:${running.server.port}/readyz`);
    expect(answer.status).toBe(200);
  });
}

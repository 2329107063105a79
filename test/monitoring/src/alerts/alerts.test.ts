import { createClient } from "@connectrpc/connect";
import { EventKind, WebhookService } from "@storefront/contracts/webhooks/v1/webhook_service";
import { createTransport } from "@storefront/rpc";
import {
  describeUnlessMissing,
  findProgram,
  isPostgresInstalled,
  missingPrometheus,
} from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, test, vi } from "vitest";
import { rulesOf } from "../monitoring-files.ts";
import type { AlertWatch } from "./alert-watch.ts";
import { askPricing, askTooMuch, connectIdly } from "./ask-too-much.ts";
import { crashAgainAndAgain, spoilSchema, throttle } from "./break-parts.ts";
import { expectedAlerts, unfiredAlerts } from "./expected-alerts.ts";
import { holdLocks } from "./hold-locks.ts";
import type { Heal } from "./hold-locks.ts";
import { askOfEverything, ask, calmOffer, keepAsking, search } from "./keep-asking.ts";
import { runbooks, startMonitoring } from "./start-monitoring.ts";
import type { Monitoring } from "./start-monitoring.ts";
import { adminToken, startWatchedStack } from "./start-watched-stack.ts";
import type { WatchedStack } from "./start-watched-stack.ts";
import { offerWriter } from "./write-offers.ts";
import type { OfferWriter } from "./write-offers.ts";

const missingServer = isPostgresInstalled() ? missingPrometheus() : "no PostgreSQL: install one";
const missing =
  findProgram("prlimit") === undefined ? "no prlimit: install util-linux" : missingServer;

const all = Object.values(expectedAlerts).flat();

/** How the alerts of a fault have behaved. */
interface Outcome {
  /** Those that fired before it. */
  readonly early: string[];
  /** Those that have not fired. */
  readonly notFired: string[];
  /** Those that still fire after its end. */
  readonly remaining: string[];
}

const asExpected: Outcome = { early: [], notFired: [], remaining: [] };

/** These look back for half an hour, half a minute here: only the last test waits until they clear. */
const slow = new Set(["GatewayErrorsSlow", "ProcessRestarting"]);

const patience = { timeout: 120_000 };
const testTimeoutMs = 400_000;

test("each shipped alert is fired by a fault or listed as unfired", () => {
  const named = [...all, ...unfiredAlerts];
  const shipped = rulesOf("alerting-rules.yaml").map(({ alert = "" }) => alert);
  expect(named.toSorted()).toEqual(shipped.toSorted());
});

describeUnlessMissing("alerts, with an hour in a minute,", missing, suite, { isOptional: true });

function suite(): void {
  const resources = new AsyncDisposableStack();
  let stack: WatchedStack;
  let monitoring: Monitoring;
  let watch: AlertWatch;
  let writer: OfferWriter;

  beforeAll(async () => {
    stack = resources.adopt(await startWatchedStack(), (used) => used.close());
    writer = resources.adopt(offerWriter(stack.grpcAddress("catalog")), (used) => used.close());
    monitoring = resources.adopt(await startMonitoring(stack.metricsAddresses), (used) =>
      used.close(),
    );
    ({ watch } = monitoring);
    const figures = watch.secondsToFire;
    resources.defer(() => {
      process.stdout.write(`Seconds to fire: ${JSON.stringify(Object.fromEntries(figures))}\n`);
    });
    await followByWebhook(stack, `${monitoring.receiver.url}/events`);
    await writer.write(calmOffer);
    const writing = keepAsking(500, () => writer.write("busy"));
    resources.defer(() => writing.stop());
    // Once the index is built.
    await vi.waitUntil(async () => {
      const offer = await ask(`${stack.gatewayUrl}/offers/${calmOffer}`);
      const found = await search(stack.gatewayUrl, "written");
      return offer === 200 && found === 200;
    }, patience);
    const asking = askOfEverything(stack.gatewayUrl);
    resources.defer(() => asking.stop());
  }, testTimeoutMs);
  afterAll(() => resources.disposeAsync(), testTimeoutMs);

  /** Waits until these alerts have fired because of faults, and are clear without them. */
  async function throughFaults(
    names: readonly string[],
    begin: () => Promise<Heal[]>,
  ): Promise<Outcome> {
    const early = await watch.untilClear(names);
    await using healing = new AsyncDisposableStack();
    for (const heal of await begin()) healing.defer(heal);
    const notFired = await watch.untilFired(names);
    await healing.disposeAsync();
    const remaining = await watch.untilClear(names.filter((name) => !slow.has(name)));
    return { early, notFired, remaining };
  }

  it(
    "do not fire while all parts run",
    async () => {
      // Once each window of five minutes, ten seconds here, is full.
      await vi.waitUntil(async () => {
        const [samples = 0] = await watch.values(
          "count_over_time(service:http_server_requests:rate5m[1m])",
        );
        return samples >= 15;
      }, patience);
      // Other tests may slow the stack down for a while.
      expect(await watch.untilClear(all)).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    "fire while PostgreSQL is stopped and clear once it is back",
    async () => {
      const outcome = await throughFaults(expectedAlerts.stoppedDatabase, async () => {
        await stack.postgres.stop();
        return [() => stack.postgres.start()];
      });
      expect(outcome).toEqual(asExpected);
    },
    testTimeoutMs,
  );

  it(
    "fire while processes are missing or crash and clear once all run",
    async () => {
      const { gateway, changelog, search: searching } = stack.processes;
      const killed = [gateway, changelog, searching];
      const outcome = await throughFaults(expectedAlerts.killedProcesses, async () => {
        await Promise.all(killed.map((program) => program.kill()));
        return [
          crashAgainAndAgain(stack, watch),
          ...killed.map((program) => () => program.start()),
        ];
      });
      expect(outcome).toEqual(asExpected);
    },
    testTimeoutMs,
  );

  it(
    "fire while a database session holds locks and the index is lost and clear once the session ends",
    async () => {
      const outcome = await throughFaults(expectedAlerts.heldLocks, async () => [
        await holdLocks(stack.postgres.url),
        askPricing(stack, writer),
      ]);
      expect(outcome).toEqual(asExpected);
    },
    testTimeoutMs,
  );

  it(
    "fire while the schema is wrong and a process lacks CPU and clear once both are repaired",
    async () => {
      const outcome = await throughFaults(expectedAlerts.spoiledSchema, async () => [
        await spoilSchema(stack, watch, writer),
        throttle(stack.processes.pricing.pid),
      ]);
      expect(outcome).toEqual(asExpected);
    },
    testTimeoutMs,
  );

  it(
    "fire while clients send too many requests and invalid imports and clear once they stop",
    async () => {
      const outcome = await throughFaults(expectedAlerts.demandingClients, async () => [
        await connectIdly(stack, watch),
        askTooMuch(stack, writer),
      ]);
      expect(outcome).toEqual(asExpected);
    },
    testTimeoutMs,
  );

  it(
    "all clear, and reach the receivers of pages and tickets with the URL of their runbook",
    async () => {
      expect(await watch.untilClear(all)).toEqual([]);
      const seen = [
        ["/pages", "ProcessMissing"],
        ["/tickets", "ProcessRestarting"],
      ] as const;
      for (const [path, name] of seen) {
        await vi.waitFor(() => {
          const alerts = monitoring.receiver
            .alertsAt(path)
            .filter(({ labels }) => labels["alertname"] === name);
          expect(new Set(alerts.map(({ status }) => status))).toEqual(
            new Set(["firing", "resolved"]),
          );
          const urls = alerts.map(({ annotations }) => annotations["runbook_url"]);
          expect(new Set(urls)).toEqual(
            new Set([`${runbooks}docs/operations/runbooks.md#${name.toLowerCase()}`]),
          );
        });
      }
    },
    testTimeoutMs,
  );
}

/** Creates a webhook for entries of the changelog. */
async function followByWebhook({ webhooksUrl }: WatchedStack, url: string): Promise<void> {
  const transport = createTransport({ baseUrl: webhooksUrl, token: adminToken });
  const client = createClient(WebhookService, transport);
  await client.createWebhook({ url, events: [EventKind.ENTRY] });
  await transport.close();
}

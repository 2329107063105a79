import {
  createCertificateAuthority,
  describeUnlessMissing,
  missingReleaseBefore,
  missingTypesenseProgram,
  sharedData,
} from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { cluster as found } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import {
  allLeft,
  clusterIpOf,
  deployments,
  gatewayOf,
  podsOf,
  rolledOut,
  serving,
  workloadRolledOut,
} from "./deployments.ts";
import type { Pod } from "./deployments.ts";
import { clusterAddress } from "../load/cluster-address.ts";
import { startWebhookReceiver } from "../load/webhook-receiver.ts";
import type { WebhookReceiver } from "../load/webhook-receiver.ts";
import { idsOf, importData } from "./import-data.ts";
import { lossesOf, noLosses } from "./losses.ts";
import { makeImages } from "./make-images.ts";
import { readRequestsOf } from "./read-requests.ts";
import { describeJobs } from "./jobs.ts";
import { adminToken, apiKey, certificateOf, ingestHttpToken } from "./secrets.ts";
import { reachedFrom, startIdlePod, uploadFrom } from "./strangers.ts";
import { databases, removeStacks, startProduction } from "./start-production.ts";
import { typesenseLeader } from "./typesense-leader.ts";
import { underLoad } from "./under-load.ts";
import type { LoadTarget } from "./under-load.ts";

// So that grpc-js asks the cluster's own DNS; it reads this when it is loaded.
vi.hoisted(() => {
  process.env["GRPC_NODE_USE_ALTERNATIVE_RESOLVER"] = "true";
});

const data = sharedData();
const uploadedTag = {
  kind: "tag",
  observedAt: "2026-01-01T00:00:00.000Z",
  record: { id: "uploaded", name: "Uploaded" },
};
const missingRelease = missingReleaseBefore();
const missing =
  typeof found === "string"
    ? found
    : data === undefined
      ? "there is no data to import"
      : missingTypesenseProgram();
const node = "node1";
/** Address at which pods reach this machine. */
const ownAddress = "10.123.0.1";
/** How long services may take to notice that the database is back; they probe it every 1.5 s. */
const reconnectMs = 10_000;

describeUnlessMissing("the overlay for production on a real Kubernetes", missing, suite, {
  isOptional: true,
});

function suite(): void {
  if (typeof found === "string" || data === undefined) return;
  const cluster: Cluster = found;
  const { catalog, community, prices } = data.importFiles;
  // Not more, since an update of search from the release before builds its index in every member again.
  const portions = [
    { file: catalog, lines: 2000 },
    { file: community, lines: 500 },
    { file: prices, lines: 500 },
  ];
  let target: LoadTarget;
  let webhook: WebhookReceiver | undefined;

  beforeAll(async () => {
    await cluster.load(await makeImages(missingRelease === undefined));
    const authority = await createCertificateAuthority();
    await startProduction(cluster, authority);
    const gateway = await gatewayOf(cluster);
    webhook = await startWebhookReceiver({ gateway, ownAddress, adminToken });
    await importData(cluster, portions);
    const offerIds = await idsOf(portions, "offer");
    target = {
      gateway,
      catalogHost: await clusterIpOf(cluster, "catalog"),
      requests: readRequestsOf(offerIds),
      offerIds,
      certificate: await certificateOf(authority, "importer"),
      webhook,
    };
    await authority.remove();
  }, 600_000);

  afterAll(async () => {
    try {
      await removeStacks(cluster);
    } finally {
      await webhook?.close();
    }
  }, 300_000);

  beforeEach(async () => {
    // Whatever the test before left.
    await cluster.kubectl(["uncordon", node]);
    await cluster.apply("prod");
    await workloadRolledOut(cluster, "statefulset/typesense");
    await rolledOut(cluster);
    await allLeft(cluster);
  }, 300_000);

  test.skipIf(missingRelease !== undefined)(
    "an update of one workload after the other from the release before, and the way back of all at once, fail no request and lose no entry",
    async () => {
      await cluster.apply("release-before");
      await rolledOut(cluster);
      await allLeft(cluster);
      const report = await underLoad(target, async ({ rounds }) => {
        for (const name of [...deployments, "ingest"]) {
          await cluster.apply("prod", `app.kubernetes.io/name=${name}`);
          await workloadRolledOut(cluster, `deployment/${name}`);
          await rounds(10);
        }
        await cluster.apply("release-before");
        await rolledOut(cluster);
        await rounds(10);
        await allLeft(cluster);
      });
      expect(lossesOf("update and the way back", report)).toEqual(noLosses);
    },
    900_000,
  );

  test("deleting every pod, two at a time, fails no request and loses no entry", async () => {
    const report = await underLoad(target, async () => {
      for (const pair of pairsOf(await podsOf(cluster))) {
        await cluster.kubectl(["delete", "pod", ...pair, "--wait=false"]);
        await vi.waitUntil(async () => await isWhole(cluster), {
          timeout: 120_000,
          interval: 1000,
        });
      }
      await allLeft(cluster);
    });
    expect(lossesOf("deletion of every pod", report)).toEqual(noLosses);
  }, 500_000);

  test("killing the leader of Typesense, and Redis, fails no request and loses no entry", async () => {
    const report = await underLoad(target, async ({ rounds }) => {
      const leader = await typesenseLeader(cluster);
      if (leader === undefined) throw new Error("no member leads");
      await cluster.kubectl(["delete", "pod", leader, "--grace-period=0", "--force"]);
      await rounds(20);
      await workloadRolledOut(cluster, "statefulset/typesense");
      expect(await typesenseLeader(cluster)).toBeDefined();
      const redis = ["delete", "pod", "--selector=app.kubernetes.io/name=redis"];
      await cluster.kubectl([...redis, "--grace-period=0", "--force"], { namespace: databases });
      await rounds(20);
      await workloadRolledOut(cluster, "deployment/redis", databases);
      await rounds(20);
    });
    expect(lossesOf("kill of Typesense's leader and of Redis", report)).toEqual(noLosses);
  }, 500_000);

  test("a restart of PostgreSQL fails requests in its own seconds alone, and loses no accepted write", async () => {
    const outage = { from: new Date(), to: new Date() };
    const report = await underLoad(target, async ({ rounds }) => {
      outage.from = new Date();
      await cluster.kubectl(["delete", "pod", "postgres-0"], { namespace: databases });
      await workloadRolledOut(cluster, "statefulset/postgres", databases);
      outage.to = new Date(Date.now() + reconnectMs);
      await rounds(100);
    });
    expect(lossesOf("restart of PostgreSQL", report, outage)).toEqual(noLosses);
  }, 500_000);

  test("a node that is drained loses no more pods than the budgets allow until another one is there, and fails no request", async () => {
    const report = await underLoad(target, async ({ rounds }) => {
      const ours = "app.kubernetes.io/component in (gateway, service, search-engine)";
      const drain = ["drain", node, `--pod-selector=${ours}`, "--delete-emptydir-data"];
      await expect(cluster.kubectl([...drain, "--timeout=30s"])).rejects.toThrow(
        /disruption budget/,
      );
      const pods = serving(await podsOf(cluster));
      expect(pods.map(({ process }) => process).toSorted()).toEqual(deployments);
      await rounds(50);
      await cluster.kubectl(["uncordon", node]);
      await rolledOut(cluster);
      await workloadRolledOut(cluster, "statefulset/typesense");
      await allLeft(cluster);
    });
    expect(lossesOf("drained node", report)).toEqual(noLosses);
  }, 500_000);

  test("policies let an importer reach what takes observations, and others nothing", async () => {
    const ingestPorts = ["catalog:4201", "pricing:4202"];
    const others = [
      "catalog:4101",
      "search:4105",
      "gateway:4900",
      "webhooks:4106",
      "typesense:8108",
    ];
    const outside = ["postgres.databases:5432", "redis.databases:6379"];
    const targets = [...ingestPorts, "ingest:4300", ...others, ...outside];
    await startIdlePod(cluster, "stranger", {});
    await startIdlePod(cluster, "like-an-importer", { "app.kubernetes.io/component": "importer" });
    // A policy takes hold some moments after a pod has its address.
    await expect.poll(() => reachedFrom(cluster, "stranger", targets)).toEqual([]);
    await expect.poll(() => reachedFrom(cluster, "like-an-importer", targets)).toEqual(ingestPorts);
  }, 120_000);

  test("policies let an uploader reach ingest, which imports its upload; an API key has its limit", async () => {
    const { certificate, gateway } = target;
    await startIdlePod(cluster, "uploader", { "app.kubernetes.io/component": "uploader" });
    const targets = ["ingest:4300", "catalog:4201"];
    await expect.poll(() => reachedFrom(cluster, "uploader", targets)).toEqual(["ingest:4300"]);
    const upload = { token: ingestHttpToken, ca: certificate.ca, line: uploadedTag };
    expect(await uploadFrom(cluster, "uploader", upload)).toEqual([
      {
        summary: expect.objectContaining({
          kinds: { tag: expect.objectContaining({ written: 1 }) },
        }),
      },
    ]);
    const address = `http://${clusterAddress(gateway.host)}:${gateway.port}`;
    const read = await fetch(`${address}/offers`, { headers: { "x-api-key": apiKey.key } });
    expect(read.status).toBe(200);
    expect(read.headers.get("ratelimit-policy")).toContain(`"partner";q=${apiKey.limit};`);
  });

  test("no process was restarted by a probe or by itself", async () => {
    expect((await podsOf(cluster)).filter(({ restarts }) => restarts > 0)).toEqual([]);
  });

  describeJobs(cluster, {
    imported: portions,
    further: [{ file: catalog, lines: 2500 }],
  });
}

/** Names of the pods, two by two: of different Deployments, since each has two that are listed together. */
function pairsOf(pods: readonly Pod[]): string[][] {
  const half = pods.length / 2;
  return pods.slice(0, half).map(({ name }, index) => [name, pods[index + half]?.name ?? name]);
}

/** Whether each Deployment has its two pods ready. */
async function isWhole(cluster: Cluster): Promise<boolean> {
  const pods = serving(await podsOf(cluster));
  return deployments.every((name) => pods.filter(({ process }) => process === name).length >= 2);
}

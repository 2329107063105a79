import { describeUnlessMissing, missingReleaseBefore, sharedData } from "@storefront/testkit";
import { resolve } from "node:path";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { cluster as found } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import type { Pod } from "./deployments.ts";
import { allLeft, clusterIpOf, deployments, podsOf, rolledOut, serving } from "./deployments.ts";
import { idsOf, importData } from "./import-data.ts";
import { makeImages } from "./make-images.ts";
import { underLoad } from "./under-load.ts";
import type { LoadReport, LoadTarget } from "./under-load.ts";

// So that grpc-js asks the cluster's own DNS; it reads this when it is loaded.
vi.hoisted(() => {
  process.env["GRPC_NODE_USE_ALTERNATIVE_RESOLVER"] = "true";
});

const releaseNow = resolve(import.meta.dirname, "../../kubernetes/cluster");
const releaseBefore = resolve(import.meta.dirname, "../../kubernetes/release-before");
const data = sharedData();
const missingRelease = missingReleaseBefore();
const missing =
  typeof found === "string" ? found : data === undefined ? "there is no data to import" : undefined;
// As in the overlay for one node.
const ingestToken = "development-only-token";
const gatewayPort = 4000;

describeUnlessMissing("on a real Kubernetes", missing, suite, { isOptional: true });

function suite(): void {
  if (typeof found === "string" || data === undefined) return;
  const cluster: Cluster = found;
  const { catalog, community, prices } = data.importFiles;
  const portions = [
    { file: catalog, lines: 11_000 },
    { file: community, lines: 5000 },
    { file: prices, lines: 3000 },
  ];
  let target: LoadTarget;

  beforeAll(async () => {
    await cluster.load(await makeImages(missingRelease === undefined));
    await cluster.apply(releaseNow);
    await cluster.kubectl(["wait", "--for=condition=Complete", "job/migrate", "--timeout=180s"], {
      timeoutMs: 190_000,
    });
    await rolledOut(cluster);
    await importData(cluster, portions, ingestToken);
    const offerIds = await idsOf(portions, "offer");
    target = {
      gateway: { host: await clusterIpOf(cluster, "gateway"), port: gatewayPort },
      catalogHost: await clusterIpOf(cluster, "catalog"),
      questions: questionsOf(offerIds, await idsOf(portions, "item")),
      offerIds,
      ingestToken,
    };
  }, 600_000);

  beforeEach(async () => {
    // Whatever became of the test before.
    await cluster.apply(releaseNow);
    await rolledOut(cluster);
  }, 200_000);

  test("a rolling update of every Deployment, and the way back, fail no request and lose no entry", async () => {
    const report = await underLoad(target, async ({ rounds }) => {
      await eachDeployment((name) => cluster.kubectl(["rollout", "restart", name]));
      await rolledOut(cluster);
      await rounds(20);
      await eachDeployment((name) => cluster.kubectl(["rollout", "undo", name]));
      await rolledOut(cluster);
      await allLeft(cluster);
    });
    expect(lossesOf("rolling update and roll-back", report)).toEqual(noLosses);
  }, 400_000);

  test.skipIf(missingRelease !== undefined)(
    "the release before and this one serve side by side on this one's tables, and either may take over",
    async () => {
      const report = await underLoad(target, async ({ rounds }) => {
        await cluster.apply(releaseBefore);
        // Its pods wait for a while before they take another one's place.
        const allHalfway = async () => halfway(await podsOf(cluster)).length === deployments.length;
        await vi.waitUntil(allHalfway, { timeout: 180_000, interval: 200 });
        await rounds(50);
        expect(halfway(await podsOf(cluster))).toEqual(deployments);
        await rolledOut(cluster);
        await rounds(20);
        await cluster.apply(releaseNow);
        await rolledOut(cluster);
        await allLeft(cluster);
      });
      expect(lossesOf("the release before", report)).toEqual(noLosses);
    },
    500_000,
  );

  test("deleting every pod in turn fails no request and loses no entry", async () => {
    const report = await underLoad(target, async () => {
      for (const { name } of await podsOf(cluster)) {
        await cluster.kubectl(["delete", "pod", name, "--wait=false"]);
        await vi.waitUntil(async () => await isWhole(cluster), { timeout: 90_000, interval: 300 });
      }
      await allLeft(cluster);
    });
    expect(lossesOf("deletion of every pod", report)).toEqual(noLosses);
  }, 500_000);

  test("no process was restarted by a probe or by itself", async () => {
    expect((await podsOf(cluster)).filter(({ restarts }) => restarts > 0)).toEqual([]);
  });

  async function eachDeployment(run: (name: string) => Promise<unknown>): Promise<void> {
    await Promise.all(deployments.map((name) => run(`deployment/${name}`)));
  }
}

/** The Deployments of which pods of both releases get traffic. */
function halfway(pods: readonly Pod[]): string[] {
  return deployments.filter((name) => {
    const own = serving(pods).filter(({ process }) => process === name);
    return new Set(own.map(({ image }) => image)).size === 2;
  });
}

/** Whether each Deployment has its two pods ready. */
async function isWhole(cluster: Cluster): Promise<boolean> {
  const pods = serving(await podsOf(cluster));
  return deployments.every((name) => pods.filter(({ process }) => process === name).length >= 2);
}

function questionsOf(offerIds: readonly string[], itemIds: readonly string[]) {
  return offerIds.flatMap((id, index) => {
    const itemId = itemIds[index % itemIds.length] ?? "";
    return [
      { path: `/offers/${id}` },
      { path: `/offers/${id}/overview?country=DE` },
      { path: `/items/${itemId}` },
      { path: "/search/v2/search", body: JSON.stringify({ limit: 3, page: 1 + (index % 50) }) },
      { path: `/changelist?limit=5&page=${1 + (index % 50)}` },
      { path: `/offers/${id}/reviews` },
      { path: "/offers/featured-discounts?country=DE" },
    ];
  });
}

const noLosses = { failures: {}, unlogged: 0, missed: [], repeated: [], isFollowed: true };

/** What must not be; the figures are printed. */
function lossesOf(name: string, report: LoadReport) {
  const { succeeded, entries, connections, degraded } = report;
  const { failures, unlogged, missed, repeated } = report;
  const counts = Object.entries(succeeded).map(([kind, count]) => `${count} ${kind}`);
  const rest = `${entries} entries over ${connections} connections, ${degraded} degraded responses`;
  process.stderr.write(`${name}: ${counts.join(", ")}; ${rest}\n`);
  return { failures, unlogged, missed, repeated, isFollowed: entries > 50 };
}

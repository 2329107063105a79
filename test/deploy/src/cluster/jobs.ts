import { createReadStream, createWriteStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { clusterAddress } from "../load/cluster-address.ts";
import { entriesAfter, newestEntry } from "./change-log.ts";
import type { Cluster } from "./cluster.ts";
import { gatewayOf, rolledOut, workloadRolledOut } from "./deployments.ts";
import { importData, linesOf } from "./import-data.ts";
import type { Portion } from "./import-data.ts";
import { removeNamespace, stacks } from "./stacks.ts";
import type { Stack } from "./stacks.ts";
import { makeVolumes, volumeOf } from "./volumes.ts";

const { production, oneNode } = stacks;
const zCronJob = z.object({
  spec: z.object({ jobTemplate: z.object({ spec: z.looseObject({}) }) }),
});
/** Of a stack that takes over what another one has. */
const patience = { timeout: 180_000, interval: 1000 };

/** What the running stack has, and more of it. */
export interface JobsOptions {
  imported: readonly Portion[];
  /** The same files, with lines that are not imported yet. */
  further: readonly Portion[];
}

/** Tests of the jobs that a person copies, on the stack for production and on a second, empty one. */
export function describeJobs(cluster: Cluster, { imported, further }: JobsOptions): void {
  describe("jobs to copy", () => {
    beforeAll(async () => {
      const claims = ["imports", "exports", "backups"].map((name) => ({ ...production, name }));
      await makeVolumes(
        cluster,
        claims.map((claim) => ({ ...claim, isMade: true })),
      );
      await pipeline(
        linesOf(imported),
        createGzip(),
        createWriteStream(
          join(volumeOf({ ...production, name: "imports" }), "catalogue.ndjson.gz"),
        ),
      );
      await cluster.apply("jobs");
    }, 120_000);

    afterAll(() => removeNamespace(cluster, oneNode.namespace), 300_000);

    test("an import reads its claim, and a reindex ends", async () => {
      await Promise.all(["import", "reindex"].map((job) => completed(job)));
      // Everything was imported before.
      expect(await cluster.kubectl(["logs", "job/import"])).toMatch(/^offer +(\d+) +0 +\d+/m);
    }, 400_000);

    test("an export is one file of its claim", async () => {
      expect(await filesOfRun("export")).toEqual([expect.stringMatching(/\.ndjson\.gz$/)]);
    }, 400_000);

    test("a mirror fills an empty stack, and follows the other one", async () => {
      await startSecondStack();
      await makeVolumes(cluster, [{ ...oneNode, name: "mirror", isMade: true }]);
      await cluster.apply("mirror");
      await expect.poll(isSame, patience).toBe(true);
      await importData(cluster, further);
      await expect.poll(isSame, patience).toBe(true);
    }, 600_000);

    test("a backup is restored as the same stack into an empty namespace, and its followers continue", async () => {
      const [dump] = await filesOfRun("backup");
      if (dump === undefined) throw new Error("there is no dump");
      await removeNamespace(cluster, oneNode.namespace);
      await startSecondStack(join(volumeOf({ ...production, name: "backups" }), dump));
      await expect.poll(isSame, patience).toBe(true);
      const gateway = await gatewayOf(cluster, oneNode.namespace);
      const begin = await newestEntry(gateway);
      const before = await entriesAfter(gateway, begin);
      const more = further.map(({ file, lines }) => ({ file, lines: lines + 500 }));
      await importData(cluster, more, oneNode);
      const entries = async () => (await entriesAfter(gateway, begin)).length;
      await expect.poll(entries, patience).toBeGreaterThan(before.length);
    }, 600_000);
  });

  /** Starts the second stack in an empty namespace, on a dump of another one or on nothing. */
  async function startSecondStack(dump?: string): Promise<void> {
    const { namespace } = oneNode;
    await cluster.apply("dev");
    const postgres = "statefulset/postgres";
    await workloadRolledOut(cluster, postgres, namespace);
    if (dump !== undefined) {
      const restore = "pg_restore --exit-on-error --username=storefront --dbname=storefront";
      await cluster.kubectl(["exec", "--stdin", postgres, "--", ...restore.split(" ")], {
        namespace,
        input: createReadStream(dump),
      });
    }
    await completed("migrate", namespace);
    await rolledOut(cluster, namespace);
  }

  async function completed(job: string, namespace: string = production.namespace): Promise<void> {
    await cluster.kubectl(["wait", "--for=condition=Complete", `job/${job}`, "--timeout=300s"], {
      timeoutMs: 310_000,
      namespace,
    });
  }

  /** Runs a CronJob now. @returns the files that its claim has of the run */
  async function filesOfRun(cronJob: string): Promise<string[]> {
    const job = `${cronJob}-now`;
    // As `kubectl create job --from` does, which knows only its own version of a CronJob.
    const { spec } = (await cluster.get(["cronjob", cronJob], zCronJob)).spec.jobTemplate;
    const metadata = { namespace: production.namespace, name: job };
    await cluster.applyObjects([{ apiVersion: "batch/v1", kind: "Job", metadata, spec }]);
    await completed(job);
    const names = await readdir(volumeOf({ ...production, name: `${cronJob}s` }));
    return names.filter((name) => name.startsWith(job));
  }

  /** Whether both stacks have the same. */
  async function isSame(): Promise<boolean> {
    return (await contentOf(oneNode)) === (await contentOf(production));
  }

  /** What a reader sees of a stack, as a text to compare. */
  async function contentOf(stack: Stack): Promise<string> {
    const lists = ["/sandboxes", "/items", "/offers"].map((path) =>
      read(stack, `${path}?limit=20`),
    );
    return (await Promise.all([...lists, search(stack)])).join("\n");
  }

  /** Newest offers with a price, and how many there are. */
  async function search(stack: Stack): Promise<string> {
    return await read(stack, "/search/v2/search?country=DE", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ limit: 20, sortBy: "creationDate", price: {} }),
    });
  }

  async function read({ namespace }: Stack, path: string, init?: RequestInit): Promise<string> {
    const { host, port } = await gatewayOf(cluster, namespace);
    const response = await fetch(`http://${clusterAddress(host)}:${port}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.text();
  }
}

import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { clusterAddress } from "../load/cluster-address.ts";
import type { Cluster } from "./cluster.ts";
import { clusterIpOf, rolledOut } from "./deployments.ts";
import { importData, linesOf } from "./import-data.ts";
import type { Portion } from "./import-data.ts";

const overlay = (name: string) => resolve(import.meta.dirname, "../../kubernetes", name);
// As the volumes of the tests' overlay say.
const directory = "/var/tmp/storefront-jobs";
const restored = "storefront-restored";

/** What the running stack has, and more of it. */
export interface JobsOptions {
  imported: readonly Portion[];
  /** The same files, with lines that are not imported yet. */
  further: readonly Portion[];
  /** Known once the stack runs. */
  offerId: () => string;
  ingestToken: string;
}

/** Tests of the jobs that a person copies, on a stack that runs. */
export function describeJobs(cluster: Cluster, options: JobsOptions): void {
  describe("jobs to copy", () => {
    beforeAll(async () => {
      for (const name of ["imports", "exports", "backups"]) {
        await mkdir(join(directory, name), { recursive: true });
        // Pods write as users of their own.
        await chmod(join(directory, name), 0o777);
      }
      await pipeline(
        linesOf(options.imported),
        createGzip(),
        createWriteStream(join(directory, "imports/catalogue.ndjson.gz")),
      );
      await cluster.apply(overlay("jobs"));
    }, 120_000);

    afterAll(async () => {
      await cluster.kubectl(["delete", "namespace", restored, "--ignore-not-found"]);
      await rm(directory, { recursive: true, force: true });
    }, 120_000);

    const completed = async (job: string, namespace?: string) => {
      await cluster.kubectl(["wait", "--for=condition=Complete", `job/${job}`, "--timeout=180s"], {
        timeoutMs: 190_000,
        ...(namespace !== undefined && { namespace }),
      });
    };
    const filesOfRun = async (cronJob: string) => {
      const job = `${cronJob}-now`;
      await cluster.kubectl(["create", "job", job, `--from=cronjob/${cronJob}`]);
      await completed(job);
      const names = await readdir(join(directory, `${cronJob}s`));
      return names.filter((name) => name.startsWith(job));
    };
    const read = async (path: string, namespace?: string): Promise<unknown> => {
      const host = await clusterIpOf(cluster, "gateway", namespace);
      const response = await fetch(`http://${clusterAddress(host)}:4000${path}`);
      return await response.json();
    };
    const newestEntries = (namespace?: string) => read("/changelist?limit=5", namespace);

    test("an import reads its claim, and a reindex ends", async () => {
      await Promise.all(["import", "reindex"].map((job) => completed(job)));
      // Everything was imported before.
      expect(await cluster.kubectl(["logs", "job/import"])).toMatch(/^offer +(\d+) +0 +\d+/m);
    }, 200_000);

    test("an export is one file of its claim", async () => {
      expect(await filesOfRun("export")).toEqual([expect.stringMatching(/\.ndjson\.gz$/)]);
    }, 200_000);

    test("a backup makes the same stack in an empty namespace, whose followers continue", async () => {
      const [dump] = await filesOfRun("backup");
      if (dump === undefined) throw new Error("there is no dump");
      const offerPath = `/offers/${options.offerId()}`;
      const before = [await read(offerPath), await newestEntries()];

      await cluster.kubectl(["create", "namespace", restored]);
      await cluster.apply(overlay("restored"), "app.kubernetes.io/name=postgres");
      const inRestored = { namespace: restored, timeoutMs: 190_000 };
      const postgres = "statefulset/postgres";
      await cluster.kubectl(["rollout", "status", postgres, "--timeout=180s"], inRestored);
      const restore = "pg_restore --exit-on-error --username=storefront --dbname=storefront";
      await cluster.kubectl(["exec", "--stdin", postgres, "--", ...restore.split(" ")], {
        ...inRestored,
        input: createReadStream(join(directory, "backups", dump)),
      });

      await cluster.apply(overlay("restored"));
      await completed("migrate", restored);
      await rolledOut(cluster, restored);
      expect([await read(offerPath, restored), await newestEntries(restored)]).toEqual(before);

      await importData(cluster, options.further, options.ingestToken, restored);
      await vi.waitUntil(
        async () => JSON.stringify(await newestEntries(restored)) !== JSON.stringify(before[1]),
        { timeout: 60_000, interval: 500 },
      );
    }, 600_000);
  });
}

import { credentials } from "@grpc/grpc-js";
import {
  createCertificateAuthority,
  describeUnlessMissing,
  drillsAreLong,
  missingTypesenseProgram,
  sharedData,
} from "@storefront/testkit";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Background } from "../load/background.ts";
import { startGrpcLoad } from "../load/grpc-load.ts";
import { startHttpLoad } from "../load/http-load.ts";
import { Tally } from "../load/tally.ts";
import { cluster as found } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { allLeft, clusterIpOf, rolledOut, workloadRolledOut } from "./deployments.ts";
import { idsOf, importData } from "./import-data.ts";
import { makeImages } from "./make-images.ts";
import { certificateOf, databaseUrl } from "./secrets.ts";
import type { ClientCertificate } from "./secrets.ts";
import { databases, removeStacks, startProduction } from "./start-production.ts";

const data = sharedData();
const missing =
  typeof found === "string"
    ? found
    : data === undefined
      ? "there is no data to import"
      : (missingTypesenseProgram() ?? (drillsAreLong ? undefined : "it runs with DRILLS=long"));

/** Processor time of each gateway and catalog, so that one machine has enough for eight of them. */
const limit = "100m";
/** Enough to keep all of them busy, although each waits nine tenths of the time for its processor. */
const clients = 64;
const measuredMs = 15_000;
/** From the most to the least, so that those that stay are warm. */
const replicas = [4, 2, 1];
/** Until a process that has just started has compiled its code, with a tenth of a processor. */
const warmUpMs = 45_000;
const scaled = ["gateway", "catalog"];
const services = ["catalog", "pricing", "reviews", "changelog", "search"];
/** `default_pool_size` of pgbouncer.ini: connections of all services together, which have one database and role. */
const poolSize = 20;

vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

// What it measures is in docs/operations/sizing.md.
describeUnlessMissing("1, 2 and 4 gateways and catalogs behind one address each", missing, suite, {
  isOptional: true,
});

function suite(): void {
  if (typeof found === "string" || data === undefined) return;
  const cluster: Cluster = found;
  const portions = [{ file: data.importFiles.catalog, lines: 5000 }];
  let offerIds: string[];
  let certificate: ClientCertificate;

  beforeAll(async () => {
    await cluster.load(await makeImages(false));
    const authority = await createCertificateAuthority();
    await startProduction(cluster, authority);
    certificate = await certificateOf(authority, "importer");
    await authority.remove();
    await importData(cluster, portions);
    offerIds = await idsOf(portions, "offer");
    // Neither serves the load, and webhooks would add connections to PostgreSQL.
    await cluster.kubectl(["scale", "deployment/webhooks", "deployment/ingest", "--replicas=0"]);
    for (const name of scaled) {
      const parameters = ["set", "resources", `deployment/${name}`];
      await cluster.kubectl([...parameters, `--limits=cpu=${limit}`, `--requests=cpu=${limit}`]);
    }
  });

  afterAll(() => removeStacks(cluster));

  test("serve every request by PostgreSQL", async () => {
    for (const count of replicas) {
      expect((await measure("PostgreSQL", count)).failed).toEqual([]);
    }
  });

  test("serve every request by PgBouncer, with no more connections than its pool", async () => {
    await cluster.apply("pgbouncer");
    await workloadRolledOut(cluster, "deployment/pgbouncer", databases);
    const pooled = databaseUrl.replace("@postgres.", "@pgbouncer.");
    for (const name of services) {
      const env = [`DATABASE_URL=${pooled}`, "DATABASE_URL_FILE-", "DATABASE_POOLER=transaction"];
      await cluster.kubectl(["set", "env", `deployment/${name}`, ...env]);
    }
    await rolledOut(cluster);
    for (const count of replicas) {
      const { failed, connections } = await measure("PgBouncer", count);
      expect(failed).toEqual([]);
      expect(connections).toBeLessThanOrEqual(poolSize);
    }
  });

  /** Prints what so many replicas serve, and returns what failed and the connections of PostgreSQL at the end. */
  async function measure(database: string, count: number) {
    const scale = scaled.map((name) => `deployment/${name}`);
    await cluster.kubectl(["scale", ...scale, `--replicas=${count}`]);
    await rolledOut(cluster);
    await allLeft(cluster);
    const gateway = { host: await clusterIpOf(cluster, "gateway"), port: 4000 };
    const target = `${await clusterIpOf(cluster, "catalog")}:4201`;
    const { ca, cert, key } = certificate;
    const load = { clients, pauseMs: 0 };
    const requests = offerIds.map((id) => ({ path: `/offers/${id}` }));
    const settleMs = count === Math.max(...replicas) ? warmUpMs : measuredMs / 3;
    const http = await measureLoad(settleMs, (tally) =>
      startHttpLoad({ ...load, ...gateway, requests, connections: "new", tally }),
    );
    const grpc = await measureLoad(settleMs, (tally) =>
      startGrpcLoad({
        ...load,
        credentials: credentials.createSsl(ca, key, cert),
        target,
        roundRobin: false,
        offerIds,
        tally,
      }),
    );
    const connections = await countConnections();
    process.stderr.write(
      `${database}, ${count} replicas: ${http.perSecond} GET /offers/{id} per second, ${grpc.perSecond} GetOffer per second, ${connections} connections\n`,
    );
    return { connections, failed: [...http.failed, ...grpc.failed] };
  }

  /** Connections of PostgreSQL's clients, all services together. */
  async function countConnections(): Promise<number> {
    const query =
      "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
    const psql = ["psql", "--username=storefront", "--no-align", "--tuples-only"];
    return Number(
      await cluster.kubectl(
        ["exec", "postgres-0", "--", ...psql, `--command=${query}`, "storefront"],
        { namespace: databases },
      ),
    );
  }
}

/** Responses per second of a load after some time, and what failed. */
async function measureLoad(settleMs: number, start: (tally: Tally) => Background) {
  const tally = new Tally("load");
  const load = start(tally);
  await setTimeout(settleMs);
  const before = tally.succeeded;
  await setTimeout(measuredMs);
  const perSecond = Math.round((tally.succeeded - before) / (measuredMs / 1000));
  await load.stop();
  return { perSecond, failed: [...tally.failures, ...tally.unavailable] };
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { startTypesense, testApiKey } from "./start-typesense.ts";
import type { TypesenseServer } from "./start-typesense.ts";

/** A cluster of Typesense servers whose nodes can be killed. */
export interface TypesenseCluster {
  readonly urls: readonly string[];
  readonly apiKey: string;
  /** Kills the leader; returns a function that restarts it on its files and resolves once it is healthy. */
  killLeader(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** Starts a cluster of so many nodes; resolves when all are healthy. */
export async function startTypesenseCluster(count: number): Promise<TypesenseCluster> {
  const directory = await mkdtemp(join(tmpdir(), "storefront-typesense-cluster-"));
  const members = await Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      directory: join(directory, String(index)),
      port: await freePort(),
      peeringPort: await freePort(),
    })),
  );
  const nodes = members.map(({ peeringPort, port }) => `127.0.0.1:${peeringPort}:${port}`).join();
  const start = ({ peeringPort, ...member }: (typeof members)[number]) =>
    startTypesense({ ...member, cluster: { peeringPort, nodes } });
  const running: TypesenseServer[] = await Promise.all(members.map(start));
  return {
    urls: running.map(({ url }) => url),
    apiKey: testApiKey,
    async killLeader() {
      const index = await leaderOf(running);
      await running[index]?.kill();
      return async () => {
        const member = members[index];
        if (member !== undefined) running[index] = await start(member);
      };
    },
    async stop() {
      await Promise.all(running.map((server) => server.kill()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Index of the node that reports itself as leader. */
async function leaderOf(nodes: readonly TypesenseServer[]): Promise<number> {
  const states = await Promise.all(
    nodes.map(async ({ url, apiKey }) => {
      const response = await fetch(`${url}/debug`, { headers: { "x-typesense-api-key": apiKey } });
      return (await response.json()) as { state: number };
    }),
  );
  const index = states.findIndex(({ state }) => state === 1);
  if (index === -1) throw new Error("no node is the leader");
  return index;
}

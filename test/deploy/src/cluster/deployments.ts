import { vi } from "vitest";
import { z } from "zod";
import { namespace } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";

/** The Deployments of the gateway and the services, with two pods each. */
export const deployments = [
  "catalog",
  "changelog",
  "gateway",
  "pricing",
  "reviews",
  "search",
  "webhooks",
] as const;

const zPods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({
        name: z.string(),
        deletionTimestamp: z.string().optional(),
        labels: z.record(z.string(), z.string()),
      }),
      status: z.object({
        conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
        containerStatuses: z.array(z.object({ restartCount: z.number() })).default([]),
      }),
    }),
  ),
});

/** A pod as the tests see it. */
export interface Pod {
  name: string;
  process: string;
  ready: boolean;
  /** Asked to end. */
  leaving: boolean;
  restarts: number;
}

/** The pods that a label selector names; by default those of the product's Deployments. */
export async function podsOf(
  cluster: Cluster,
  selector = "app.kubernetes.io/component in (gateway, service)",
): Promise<Pod[]> {
  const { items } = await cluster.get(["pods", `--selector=${selector}`], zPods);
  return items.map(({ metadata, status }) => ({
    name: metadata.name,
    process: metadata.labels["app.kubernetes.io/name"] ?? "",
    ready: status.conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
    leaving: metadata.deletionTimestamp !== undefined,
    restarts: status.containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
  }));
}

/** Those that get traffic. */
export function serving(pods: readonly Pod[]): Pod[] {
  return pods.filter(({ ready, leaving }) => ready && !leaving);
}

/** Waits until every Deployment has all its pods ready, of its newest template only. */
export async function rolledOut(cluster: Cluster, inNamespace = namespace): Promise<void> {
  const names = await cluster.kubectl(["get", "deployments", "--output=name"], {
    namespace: inNamespace,
  });
  const workloads = names.trim().split("\n");
  await Promise.all(workloads.map((workload) => workloadRolledOut(cluster, workload, inNamespace)));
}

/** Waits until a workload, such as `statefulset/typesense`, has all its pods ready, of its newest template only. */
export async function workloadRolledOut(
  cluster: Cluster,
  workload: string,
  inNamespace = namespace,
): Promise<void> {
  await cluster.kubectl(["rollout", "status", workload, "--timeout=300s"], {
    namespace: inNamespace,
    timeoutMs: 310_000,
  });
}

/** Waits until no pod of the product is left that was asked to end. */
export async function allLeft(cluster: Cluster): Promise<void> {
  const isOver = async () => !(await podsOf(cluster)).some(({ leaving }) => leaving);
  await vi.waitUntil(isOver, { timeout: 120_000, interval: 500 });
}

const zService = z.object({ spec: z.object({ clusterIP: z.string() }) });

/** The address of a Service within the cluster. */
export async function clusterIpOf(
  cluster: Cluster,
  service: string,
  inNamespace = namespace,
): Promise<string> {
  return (await cluster.get(["service", service], zService, inNamespace)).spec.clusterIP;
}

/** Where the gateway of a namespace is. */
export async function gatewayOf(
  cluster: Cluster,
  inNamespace = namespace,
): Promise<{ host: string; port: number }> {
  return { host: await clusterIpOf(cluster, "gateway", inNamespace), port: 4000 };
}

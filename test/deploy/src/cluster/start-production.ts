import type { CertificateAuthority } from "@storefront/testkit";
import type { Cluster } from "./cluster.ts";
import { namespace } from "./cluster.ts";
import { rolledOut, workloadRolledOut } from "./deployments.ts";
import { secretsOfProduction } from "./secrets.ts";
import { removeNamespace, stacks } from "./stacks.ts";
import { makeVolumes, removeVolumes } from "./volumes.ts";

/** The namespace of PostgreSQL and Redis. */
export const databases = "databases";

/**
 * Does what a first deployment is, in place of what an earlier run left: databases outside, the Secrets, then the overlay for production, until every workload is
 * ready.
 */
export async function startProduction(
  cluster: Cluster,
  authority: CertificateAuthority,
): Promise<void> {
  await removeStacks(cluster);
  await makeVolumes(cluster, [
    { namespace: databases, name: "data-postgres-0" },
    ...[0, 1, 2].map((member) => ({ namespace, name: `data-typesense-${member}` })),
  ]);
  await cluster.apply("outside");
  const restricted = { "pod-security.kubernetes.io/enforce": "restricted" };
  await cluster.applyObjects([
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: restricted } },
    ...(await secretsOfProduction(authority)),
  ]);
  await workloadRolledOut(cluster, "statefulset/postgres", databases);
  await cluster.apply("prod");
  await cluster.kubectl(["wait", "--for=condition=Complete", "job/migrate", "--timeout=180s"], {
    timeoutMs: 190_000,
  });
  await workloadRolledOut(cluster, "statefulset/typesense");
  await rolledOut(cluster);
}

/** Removes every stack of the tests with its data. */
export async function removeStacks(cluster: Cluster): Promise<void> {
  const namespaces = [...Object.values(stacks).map((stack) => stack.namespace), databases];
  for (const name of namespaces) await removeNamespace(cluster, name);
  await removeVolumes(cluster);
}

import { namespace } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";

/** An installation in the cluster. */
export interface Stack {
  namespace: string;
  /** Of every service that takes observations. */
  ingestToken: string;
  /** Whether its services expect TLS, and certificates of their clients. */
  hasTls: boolean;
}

/** The installations of the tests. */
export const stacks = {
  production: { namespace, ingestToken: "token-of-the-tests", hasTls: true },
  /** As the overlay for one node has it. */
  oneNode: {
    namespace: "storefront-dev",
    ingestToken: "development-only-token",
    hasTls: false,
  },
} satisfies Record<string, Stack>;

/** Removes a namespace with everything in it. */
export async function removeNamespace(cluster: Cluster, name: string): Promise<void> {
  // Pods first: a namespace that still has some is looked at again after half of their longest grace period only.
  const workloads = [
    "deployments,statefulsets,cronjobs,jobs,pods",
    "--all",
    "--cascade=foreground",
  ];
  const options = { namespace: name, timeoutMs: 180_000 };
  await cluster.kubectl(["delete", ...workloads], options);
  await cluster.kubectl(["delete", "namespace", name, "--ignore-not-found"], options);
}

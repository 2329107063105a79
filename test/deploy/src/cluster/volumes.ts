import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Cluster } from "./cluster.ts";

/** Where the volumes are; the cluster has no provisioner. */
const directory = "/var/tmp/storefront-volumes";

/** A claim of a namespace. */
export interface Claim {
  namespace: string;
  name: string;
}

/** Directory of a claim on the node, which is this machine. */
export function volumeOf({ namespace, name }: Claim): string {
  return join(directory, namespace, name);
}

/** Makes an empty volume for each claim, and those claims that no workload makes (`isMade`). */
export async function makeVolumes(
  cluster: Cluster,
  claims: readonly (Claim & { isMade?: boolean })[],
): Promise<void> {
  for (const claim of claims) {
    await mkdir(volumeOf(claim), { recursive: true });
    // Containers write as users of their own.
    await chmod(volumeOf(claim), 0o777);
  }
  const made = claims.filter(({ isMade }) => isMade === true);
  await cluster.applyObjects([...claims.map(volume), ...made.map(claimOf)]);
}

/** Removes all volumes with their content; what has a claim on one has to be gone. */
export async function removeVolumes(cluster: Cluster): Promise<void> {
  await cluster.kubectl(["delete", "persistentvolume", "--all", "--wait=false"]);
  await rm(directory, { recursive: true, force: true });
}

// More than any of the claims wants; nothing reserves it.
const storage = "20Gi";
const accessModes = ["ReadWriteOnce"];

function volume(claim: Claim) {
  const { namespace, name } = claim;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `${namespace}-${name}` },
    spec: {
      capacity: { storage },
      accessModes,
      persistentVolumeReclaimPolicy: "Retain",
      claimRef: { namespace, name },
      hostPath: { path: volumeOf(claim) },
    },
  };
}

function claimOf({ namespace, name }: Claim) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace, name },
    spec: { accessModes, resources: { requests: { storage: "1Gi" } } },
  };
}

import { z } from "zod";
import type { Cluster } from "./cluster.ts";
import { namespace } from "./cluster.ts";
import { podsOf } from "./deployments.ts";
import { typesenseKey } from "./secrets.ts";

/** `1` for the leader, `4` for a follower. */
const zDebug = z.object({ state: z.number() });
const leading = 1;

/** Name of the pod that leads the Typesense cluster, undefined while none does. */
export async function typesenseLeader(cluster: Cluster): Promise<string | undefined> {
  for (const { name, ready } of await podsOf(cluster, "app.kubernetes.io/name=typesense")) {
    if (!ready) continue;
    // By the API server, which policies let in as they do the kubelet.
    const pod = `/api/v1/namespaces/${namespace}/pods/${name}:8108`;
    const path = `${pod}/proxy/debug?x-typesense-api-key=${typesenseKey}`;
    const { state } = zDebug.parse(JSON.parse(await cluster.kubectl(["get", "--raw", path])));
    if (state === leading) return name;
  }
  return undefined;
}

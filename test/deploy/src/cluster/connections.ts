import { z } from "zod";
import type { Edge } from "../kubernetes/edges.ts";
import type { Cluster } from "./cluster.ts";
import { namespace } from "./cluster.ts";
import { podsOf, serving } from "./deployments.ts";

/** A pod that tries to connect. */
interface Caller {
  name: string;
  namespace: string;
  pod: string;
}

/** A pod that is connected to. */
interface Target {
  name: string;
  ip: string;
  port: number;
}

/** The namespace that policies know Prometheus in. */
const monitoring = "monitoring";

// Callers beside the product's own processes, by the labels that policies know them by.
const strangers = [
  { name: "importer", namespace, labels: { "app.kubernetes.io/component": "importer" } },
  {
    name: "migrate",
    namespace,
    labels: {
      "app.kubernetes.io/component": "migration",
      "app.kubernetes.io/name": "migrate",
    },
  },
  { name: "another pod of the namespace", namespace, labels: {} },
  {
    name: "prometheus",
    namespace: monitoring,
    labels: { "app.kubernetes.io/name": "prometheus" },
  },
  { name: "another pod of monitoring", namespace: monitoring, labels: {} },
];

// Prints what became of a connection to each of its parameters.
const tryAll = `
const { connect } = require("node:net");
const tried = process.argv.slice(1).map((address) => new Promise((resolve) => {
  const [host, port] = address.split(":");
  const socket = connect({ host, port: Number(port), timeout: 3000 });
  const settle = (result) => { socket.destroy(); resolve(result); };
  socket.once("connect", () => settle("open"));
  socket.once("timeout", () => settle("closed"));
  socket.once("error", ({ code }) => settle(code));
}));
Promise.all(tried).then((results) => console.log(JSON.stringify(results)));
`;

/** Starts the pods that try to connect beside the product's own. */
export async function startStrangers(cluster: Cluster): Promise<void> {
  await apply(cluster, { apiVersion: "v1", kind: "Namespace", metadata: { name: monitoring } });
  for (const { name, namespace: where, labels } of strangers) {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: podNameOf(name), labels },
      spec: {
        terminationGracePeriodSeconds: 0,
        automountServiceAccountToken: false,
        containers: [
          {
            name: "stranger",
            image: "storefront/cli:dev",
            command: ["node", "--eval", "setInterval(() => {}, 1e6)"],
          },
        ],
      },
    };
    await apply(cluster, pod, where);
  }
  for (const { name, namespace: where } of strangers) {
    const pod = `pod/${podNameOf(name)}`;
    const waiting = ["wait", "--for=condition=Ready", pod, "--timeout=60s"];
    await cluster.kubectl(waiting, { namespace: where });
  }
}

async function apply(cluster: Cluster, manifest: object, where = namespace): Promise<void> {
  const input = JSON.stringify(manifest);
  await cluster.kubectl(["apply", "-f", "-"], { input, namespace: where });
}

/** Removes them again. */
export async function stopStrangers(cluster: Cluster): Promise<void> {
  for (const { name, namespace: where } of strangers) {
    const deleting = ["delete", "pod", podNameOf(name), "--ignore-not-found"];
    await cluster.kubectl(deleting, { namespace: where });
  }
  await cluster.kubectl(["delete", "namespace", monitoring, "--ignore-not-found"]);
}

/**
 * Lets every caller try every port, from pod to pod.
 *
 * @param portsOf ports of each target, by its label `app.kubernetes.io/name`
 * @returns what was connected, with the reason behind it where it was not policies that refused
 */
export async function connectionsAmongPods(
  cluster: Cluster,
  portsOf: Readonly<Record<string, readonly number[]>>,
): Promise<string[]> {
  const pods = serving(await podsOf(cluster, "app.kubernetes.io/part-of=storefront"));
  const firstOf = (process: string) => pods.find((pod) => pod.process === process);
  const targets = Object.entries(portsOf).flatMap(([name, ports]): Target[] => {
    const pod = firstOf(name);
    if (pod === undefined) throw new Error(`no pod of ${name} is ready`);
    return ports.map((port) => ({ name, ip: pod.ip, port }));
  });
  const own = Object.keys(portsOf).flatMap((name): Caller[] => {
    const pod = firstOf(name);
    // The databases' image has no Node to try with; they have nothing to call.
    return pod === undefined || ["postgres", "redis"].includes(name)
      ? []
      : [{ name, namespace, pod: pod.name }];
  });
  const callers = [
    ...own,
    ...strangers.map(({ name, namespace: where }) => ({
      name,
      namespace: where,
      pod: podNameOf(name),
    })),
  ];
  const found: string[] = [];
  for (const caller of callers) {
    const tried = targets.filter(({ name }) => name !== caller.name);
    const results = await tryFrom(cluster, caller, tried);
    for (const [index, { name, port }] of tried.entries()) {
      const edge: Edge = `${caller.name} → ${name}:${port}`;
      if (results[index] === "open") found.push(edge);
      else if (results[index] !== "closed") found.push(`${edge} (${results[index]})`);
    }
  }
  return found.toSorted();
}

async function tryFrom(
  cluster: Cluster,
  caller: Caller,
  targets: readonly Target[],
): Promise<string[]> {
  const addresses = targets.map(({ ip, port }) => `${ip}:${port}`);
  const command = ["node", "--eval", tryAll, ...addresses];
  const printed = await cluster.kubectl(["exec", caller.pod, "--", ...command], {
    namespace: caller.namespace,
  });
  return z.array(z.string()).parse(JSON.parse(printed));
}

function podNameOf(caller: string): string {
  return `trying-${caller.replaceAll(" ", "-")}`;
}

import { defaultPorts, feedNames, serviceNames } from "@storefront/process";
import { describeUnlessMissing } from "@storefront/testkit";
import { expect, test } from "vitest";
import { missingContainerTools } from "../container-tools.ts";
import { edgesOfTheCode } from "./edges.ts";
import type { Edge, Stores } from "./edges.ts";
import { mayConnect, networkPoliciesOf } from "./network-policy.ts";
import type { Peer } from "./network-policy.ts";
import { trees } from "./trees.ts";
import { workloadsOf } from "./workloads.ts";

const metricsPort = 4900;

interface Case {
  tree: keyof typeof trees;
  namespace: string;
  /** Stores that the tree lets the code connect to. */
  stores: Stores;
  /** Whether the cluster's Gateway may call the services over gRPC. */
  isGrpcRouted: boolean;
}

const cases: readonly Case[] = [
  {
    tree: "overlays/dev",
    namespace: "storefront-dev",
    stores: {
      DATABASE_URL: ["postgres:5432"],
      REDIS_URL: ["redis:6379"],
      TYPESENSE_URLS: ["typesense:8108"],
    },
    isGrpcRouted: false,
  },
  {
    tree: "overlays/prod",
    namespace: "storefront",
    stores: {
      DATABASE_URL: ["PostgreSQL outside:5432"],
      REDIS_URL: ["Redis outside:6379", "Redis outside:6380"],
      TYPESENSE_URLS: [],
    },
    isGrpcRouted: true,
  },
  {
    tree: "every component",
    namespace: "any",
    stores: {
      DATABASE_URL: ["Neon:443"],
      REDIS_URL: ["redis:6379"],
      TYPESENSE_URLS: ["typesense:8108"],
    },
    isGrpcRouted: false,
  },
];

describeUnlessMissing("network policies", missingContainerTools, suite, { isOptional: true });

function suite(): void {
  test.each(cases)(
    "allow what the code calls, and nothing else ($tree)",
    async ({ tree, namespace, stores, isGrpcRouted }) => {
      const manifests = await trees[tree]();
      const policies = networkPoliciesOf(manifests);
      const pods = new Map<string, Peer>([
        ...workloadsOf(manifests).map(({ name, labels, container }) => {
          const ports = container.ports.map((port) => [port.name, port.containerPort]);
          return [name, { namespace, labels, ports: Object.fromEntries(ports) }] as const;
        }),
        ["importer", peer(namespace, { "app.kubernetes.io/component": "importer" })],
        ["uploader", peer(namespace, { "app.kubernetes.io/component": "uploader" })],
        // Closed to all, though no policy mentions it.
        ["another pod of the namespace", { ...peer(namespace, {}), ports: { any: 8080 } }],
      ]);
      const callers = new Map<string, Peer>([
        ["prometheus", peer("monitoring", { "app.kubernetes.io/name": "prometheus" })],
        ["prometheus elsewhere", peer("default", { "app.kubernetes.io/name": "prometheus" })],
        ["another pod of monitoring", peer("monitoring", {})],
        ["the cluster's Gateway", peer("gateway-system", {})],
      ]);
      const called = new Map<string, Peer>([
        ["DNS", { ...peer("kube-system", {}), ports: { dns: 53, other: 5353 } }],
        ["DNS of the node", outside("169.254.20.10", 53, 5353)],
        ["metadata of the cloud", outside("169.254.169.254", 53, 80)],
        ["collector", { ...peer("monitoring", {}), ports: { otlp: 4318, other: 4317 } }],
        ["PostgreSQL outside", outside("10.1.2.3", 5432, 22)],
        ["Redis outside", outside("10.1.2.4", 6379, 6380, 22)],
        ["Neon", outside("203.0.113.7", 443, 80, 5432)],
      ]);
      const open = [...openEdges(pods, new Map([...pods, ...called])), ...openEdges(callers, pods)];
      const expected = new Set<Edge>([
        ...edgesOfTheCode(new Set(pods.keys()), metricsPort, stores),
        ...[...pods.keys()].flatMap((name) => [
          `${name} → DNS:53` as const,
          `${name} → DNS of the node:53` as const,
        ]),
        ...feedNames
          .filter(() => pods.has("purge"))
          .map((name): Edge => `purge → ${name}:${defaultPorts[name].port}`),
        // Any HTTPS outside, such as the API of a CDN.
        ...(pods.has("purge") ? ["purge → Neon:443" as const] : []),
        ...(pods.has("ingest")
          ? [
              ...serviceNames.map(
                (name): Edge => `ingest → ${name}:${defaultPorts[name].grpcPort}`,
              ),
              "uploader → ingest:4300" as const,
              "prometheus → ingest:4300" as const,
            ]
          : []),
        // To public addresses alone, on any port.
        ...(pods.has("webhooks")
          ? [443, 80, 5432].map((port): Edge => `webhooks → Neon:${port}`)
          : []),
        // The public port is open to callers from outside the namespace.
        ...[...callers.keys()].map((name): Edge => `${name} → gateway:4000`),
        ...serviceNames
          .filter(() => isGrpcRouted)
          .map((name): Edge => `the cluster's Gateway → ${name}:${defaultPorts[name].grpcPort}`),
      ]);
      expect(open.toSorted()).toEqual([...expected].toSorted());

      function openEdges(from: ReadonlyMap<string, Peer>, to: ReadonlyMap<string, Peer>): Edge[] {
        return [...from].flatMap(([caller, sender]) =>
          [...to].flatMap(([name, receiver]) =>
            Object.values(receiver.ports)
              .filter((port) => mayConnect(policies, namespace, sender, receiver, port))
              .flatMap((port): Edge[] => (caller === name ? [] : [`${caller} → ${name}:${port}`])),
          ),
        );
      }
    },
  );

  test("members of a Typesense cluster may connect to each other on both ports", async () => {
    const namespace = "storefront-dev";
    const manifests = await trees["overlays/dev"]();
    const labels = workloadsOf(manifests).find(({ name }) => name === "typesense")?.labels ?? {};
    const member = peer(namespace, labels);
    const policies = networkPoliciesOf(manifests);
    for (const port of [8107, 8108]) {
      expect(mayConnect(policies, namespace, member, member, port)).toBe(true);
    }
  });
}

function peer(where: string, labels: Readonly<Record<string, string>>): Peer {
  return { namespace: where, labels, ports: {} };
}

function outside(address: string, ...ports: readonly number[]): Peer {
  const named = Object.fromEntries(ports.map((port) => [String(port), port]));
  return { namespace: "", labels: {}, ports: named, address };
}

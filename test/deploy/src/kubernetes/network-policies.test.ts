import { describeUnlessMissing } from "@storefront/testkit";
import { expect, test } from "vitest";
import { missingContainerTools } from "../container-tools.ts";
import { edgesOfTheCode } from "./edges.ts";
import type { Edge } from "./edges.ts";
import { mayConnect, networkPoliciesOf } from "./network-policy.ts";
import type { Peer } from "./network-policy.ts";
import { render } from "./render.ts";
import { trees } from "./trees.ts";
import { workloadsOf } from "./workloads.ts";

const namespace = "storefront-dev";
const metricsPort = 4900;

describeUnlessMissing("network policies", missingContainerTools, suite, { isOptional: true });

function suite(): void {
  test("let through what the code calls, and nothing else", async () => {
    const manifests = await render(trees["overlays/dev"]);
    const policies = networkPoliciesOf(manifests);
    const peers = new Map<string, Peer>([
      ...workloadsOf(manifests).map(({ name, labels, container }) => {
        const ports = container.ports.map((port) => [port.name, port.containerPort]);
        return [name, { namespace, labels, ports: Object.fromEntries(ports) }] as const;
      }),
      ["importer", peer(namespace, { "app.kubernetes.io/component": "importer" })],
      ["prometheus", peer("monitoring", { "app.kubernetes.io/name": "prometheus" })],
      ["another pod of the namespace", peer(namespace, {})],
      ["prometheus elsewhere", peer("default", { "app.kubernetes.io/name": "prometheus" })],
      ["another pod of monitoring", peer("monitoring", {})],
    ]);
    const open: Edge[] = [];
    for (const [from, caller] of peers) {
      for (const [to, called] of peers) {
        for (const port of Object.values(called.ports)) {
          if (from !== to && mayConnect(policies, namespace, caller, called, port)) {
            open.push(`${from} → ${to}:${port}`);
          }
        }
      }
    }
    const outside = ["prometheus", "prometheus elsewhere", "another pod of monitoring"];
    expect(open.toSorted()).toEqual(
      [
        ...edgesOfTheCode(metricsPort),
        // The public port is for whoever comes from outside the namespace.
        ...outside.map((name) => `${name} → gateway:4000`),
      ].toSorted(),
    );
  });

  test("a Typesense cluster may talk to itself, on both its ports", async () => {
    const manifests = await render(trees["overlays/dev"]);
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

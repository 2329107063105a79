import { BlockList } from "node:net";
import { z } from "zod";
import type { Manifest } from "./render.ts";

const zLabels = z.record(z.string(), z.string());
const zSelector = z.strictObject({
  matchLabels: zLabels.default({}),
  matchExpressions: z
    .array(
      z.strictObject({ key: z.string(), operator: z.literal("In"), values: z.array(z.string()) }),
    )
    .default([]),
});
const zPeer = z.strictObject({
  podSelector: zSelector.optional(),
  namespaceSelector: zSelector.optional(),
  ipBlock: z.strictObject({ cidr: z.cidrv4(), except: z.array(z.cidrv4()).default([]) }).optional(),
});
const zPorts = z
  .array(
    z.strictObject({
      port: z.union([z.string(), z.number()]),
      protocol: z.enum(["TCP", "UDP"]).default("TCP"),
    }),
  )
  .optional();
const zPolicy = z.strictObject({
  podSelector: zSelector,
  policyTypes: z.array(z.enum(["Ingress", "Egress"])),
  ingress: z.array(z.strictObject({ from: z.array(zPeer).optional(), ports: zPorts })).default([]),
  egress: z.array(z.strictObject({ to: z.array(zPeer).optional(), ports: zPorts })).default([]),
});

/** A policy of a namespace. */
export type NetworkPolicy = z.output<typeof zPolicy>;

/** A pod as policies see it, or an address outside of the cluster. */
export interface Peer {
  namespace: string;
  labels: Readonly<Record<string, string>>;
  /** Numbers of its ports by their names. */
  ports: Readonly<Record<string, number>>;
  /** IPv4, only outside of the cluster: address blocks are not for pods. */
  address?: string;
}

/** The policies among manifests. */
export function networkPoliciesOf(manifests: readonly Manifest[]): NetworkPolicy[] {
  return manifests
    .filter(({ kind }) => kind === "NetworkPolicy")
    .map((manifest) => zPolicy.parse(manifest["spec"]));
}

/**
 * Whether a pod may connect to a port of another one, by the rules of networking.k8s.io/v1: a pod
 * that policies of a direction select is closed in it, except for what any of them allows.
 *
 * @param namespace where the policies are
 */
export function mayConnect(
  policies: readonly NetworkPolicy[],
  namespace: string,
  from: Peer,
  to: Peer,
  port: number,
): boolean {
  const ofPod = ({ namespace: where, labels }: Peer, type: "Ingress" | "Egress") =>
    where === namespace
      ? policies.filter(
          ({ podSelector, policyTypes }) =>
            policyTypes.includes(type) && selects(podSelector, labels),
        )
      : [];
  const isPeer = (peers: NetworkPolicy["ingress"][number]["from"], other: Peer) =>
    peers === undefined ||
    peers.some(({ podSelector, namespaceSelector, ipBlock }) =>
      ipBlock === undefined
        ? other.address === undefined &&
          (namespaceSelector === undefined
            ? other.namespace === namespace
            : selects(namespaceSelector, { "kubernetes.io/metadata.name": other.namespace })) &&
          (podSelector === undefined || selects(podSelector, other.labels))
        : isWithin(ipBlock.cidr, other.address) &&
          !ipBlock.except.some((cidr) => isWithin(cidr, other.address)),
    );
  const isPort = (ports: z.output<typeof zPorts>) =>
    ports === undefined ||
    ports.some(
      ({ port: given, protocol }) =>
        protocol === "TCP" && port === (typeof given === "string" ? to.ports[given] : given),
    );
  const leaving = ofPod(from, "Egress");
  const entering = ofPod(to, "Ingress");
  return (
    (leaving.length === 0 ||
      leaving.some(({ egress }) =>
        egress.some((rule) => isPeer(rule.to, to) && isPort(rule.ports)),
      )) &&
    (entering.length === 0 ||
      entering.some(({ ingress }) =>
        ingress.some((rule) => isPeer(rule.from, from) && isPort(rule.ports)),
      ))
  );
}

function isWithin(cidr: string, address: string | undefined): boolean {
  const [network = "", prefix] = cidr.split("/");
  const block = new BlockList();
  block.addSubnet(network, Number(prefix));
  return address !== undefined && block.check(address);
}

function selects(
  { matchLabels, matchExpressions }: z.output<typeof zSelector>,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ""))
  );
}

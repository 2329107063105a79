import { defaultPorts, serverNames, serviceNames, serviceVariables } from "@storefront/process";
import { processes } from "./processes.ts";

/** A connection that one pod may open to a port of another, as `gateway → catalog:4101`. */
export type Edge = `${string} → ${string}:${number}`;

/** Addresses of the third-party stores of a tree, by the variable that configures them. */
export type Stores = Readonly<
  Record<"DATABASE_URL" | "REDIS_URL" | "TYPESENSE_URLS", readonly `${string}:${number}`[]>
>;

const gatewayPort = 4000;

/**
 * Every connection that the code of the pods can be configured to open, read from the variables of its processes;
 * with those of the tools: the migration, importers, Prometheus, and the collector of traces.
 *
 * @param metricsPort the gateway's; the services serve Prometheus on their Connect ports
 */
export function edgesOfTheCode(
  pods: ReadonlySet<string>,
  metricsPort: number,
  stores: Stores,
): Edge[] {
  const edges: Edge[] = [`prometheus → gateway:${metricsPort}`];
  for (const database of stores.DATABASE_URL) edges.push(`migrate → ${database}`);
  const others = serverNames.filter((name) => pods.has(name));
  for (const { name, variables } of processes) {
    if (!pods.has(name)) continue;
    for (const other of others) {
      const calls = name !== other && variables.includes(serviceVariables(other).url);
      if (calls) edges.push(`${name} → ${other}:${defaultPorts[other].port}`);
    }
    for (const [variable, places] of Object.entries(stores)) {
      if (!variables.includes(variable)) continue;
      for (const place of places) edges.push(`${name} → ${place}`);
    }
    if (variables.includes("GATEWAY_URL")) edges.push(`${name} → gateway:${gatewayPort}`);
    // OTLP over HTTP.
    if (variables.includes("OTEL_EXPORTER_OTLP_ENDPOINT")) edges.push(`${name} → collector:4318`);
  }
  for (const name of others) edges.push(`prometheus → ${name}:${defaultPorts[name].port}`);
  for (const name of serviceNames) {
    edges.push(`importer → ${name}:${defaultPorts[name].grpcPort}`);
  }
  return edges.toSorted();
}

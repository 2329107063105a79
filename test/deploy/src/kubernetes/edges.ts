import { defaultPorts, serviceNames, serviceVariables } from "@storefront/config";
import { processes } from "./processes.ts";

/** Who may open a connection to which port of whom, as `gateway → catalog:4101`. */
export type Edge = `${string} → ${string}:${number}`;

/** Ports of what is not the product's own, by the variable that says where it is. */
const stores: Readonly<Record<string, `${string}:${number}`>> = {
  DATABASE_URL: "postgres:5432",
  REDIS_URL: "redis:6379",
  TYPESENSE_URL: "typesense:8108",
};

/**
 * Every connection that the code can be told to open, read from what its processes take of their
 * environment; with those of the tools: the migration, importers, and Prometheus.
 *
 * @param metricsPort the gateway's; the services answer Prometheus on their Connect ports
 */
export function edgesOfTheCode(metricsPort: number): Edge[] {
  const edges: Edge[] = ["migrate → postgres:5432", `prometheus → gateway:${metricsPort}`];
  for (const { name, variables } of processes) {
    for (const other of serviceNames) {
      const calls = name !== other && variables.includes(serviceVariables(other).url);
      if (calls) edges.push(`${name} → ${other}:${defaultPorts[other].port}`);
    }
    for (const [variable, store] of Object.entries(stores)) {
      if (variables.includes(variable)) edges.push(`${name} → ${store}`);
    }
  }
  for (const name of serviceNames) {
    edges.push(`prometheus → ${name}:${defaultPorts[name].port}`);
    edges.push(`importer → ${name}:${defaultPorts[name].grpcPort}`);
  }
  return edges.toSorted();
}

import { option } from "./environment.ts";
import { zPort, zUrl } from "./values.ts";

/** Every service, in the order of their ports and of their start; add a new one here. */
export const serviceNames = ["catalog", "pricing", "reviews", "changelog", "search"] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Processes that serve RPCs: the services, and webhooks, which has no records and no feed. */
export const serverNames = [...serviceNames, "webhooks"] as const;

export type ServerName = (typeof serverNames)[number];

/** The services with logs that others follow. */
export const feedNames = ["catalog", "pricing", "reviews", "changelog"] as const;

export type FeedName = (typeof feedNames)[number];

/** The services that store projections of feeds. */
export const followerNames = ["changelog", "search"] as const;

export type FollowerName = (typeof followerNames)[number];

/** The feeds that each service follows. */
export const followedFeeds: Readonly<Record<ServerName, readonly FeedName[]>> = {
  catalog: [],
  pricing: [],
  reviews: [],
  changelog: ["catalog"],
  search: ["catalog", "pricing", "reviews", "changelog"],
  // Follows streams of the gateway.
  webhooks: [],
};

/** A value for each service, made from its name. */
export function byService<Made>(make: (name: ServiceName) => Made): Record<ServiceName, Made> {
  return {
    catalog: make("catalog"),
    pricing: make("pricing"),
    reviews: make("reviews"),
    changelog: make("changelog"),
    search: make("search"),
  };
}

/** Ports of a service; 0 lets the system choose. */
export interface ServicePorts {
  /** Connect, gRPC-Web and the pages for operators over HTTP/1.1. */
  port: number;
  /** gRPC over HTTP/2. */
  grpcPort: number;
}

/**
 * Ports that a service has unless `<SERVICE>_PORT` and `<SERVICE>_GRPC_PORT` say otherwise: 4101 and
 * 4201 for the first, and so on.
 */
export const defaultPorts: Readonly<Record<ServerName, ServicePorts>> = {
  ...byService(defaultPortsOf),
  webhooks: defaultPortsOf("webhooks"),
};

function defaultPortsOf(name: ServerName): ServicePorts {
  const place = serverNames.indexOf(name) + 1;
  return { port: 4100 + place, grpcPort: 4200 + place };
}

/** Names of a service's own variables. */
export function serviceVariables(name: string) {
  const prefix = name.toUpperCase();
  return {
    port: `${prefix}_PORT`,
    grpcPort: `${prefix}_GRPC_PORT`,
    /** Base URL of its Connect port, for its callers. */
    url: `${prefix}_URL`,
    /** Address of its gRPC port, for imports. */
    grpcUrl: `${prefix}_GRPC_URL`,
    databaseUrl: `${prefix}_DATABASE_URL`,
    /** Its ingest token, if that is not INGEST_TOKEN. */
    ingestToken: `${prefix}_INGEST_TOKEN`,
  };
}

/** The gateway's port. */
export const zGatewayPort = option("PORT", zPort.default(4000)).describe(
  "Port of REST, tRPC, the pages, `/livez` and `/readyz`; 0 lets the system choose.",
);

/** The variables of a service's own ports. */
export function portsShapeOf(name: ServerName) {
  const variables = serviceVariables(name);
  return {
    port: option(variables.port, zPort.default(defaultPorts[name].port)).describe(
      "A service's own Connect port, also of `/livez`, `/readyz` and `/metrics`: catalog, pricing, reviews, changelog, search, webhooks in this order.",
    ),
    grpcPort: option(variables.grpcPort, zPort.default(defaultPorts[name].grpcPort)).describe(
      "A service's own gRPC port.",
    ),
  };
}

/** The variable of a service's address for its callers; default its port on this machine. */
export function zServiceUrl(name: ServerName) {
  return option(
    serviceVariables(name).url,
    zUrl.default(`http://127.0.0.1:${defaultPorts[name].port}`),
  ).describe(`Base URL of the Connect port of ${name}, as its callers see it.`);
}

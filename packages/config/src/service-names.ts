/** The services, in the order of their ports and of their start. */
export const serviceNames = ["catalog", "pricing", "reviews", "changelog", "search"] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Ports of a service; 0 lets the system choose. */
export interface ServicePorts {
  /** Connect, gRPC-Web and the pages for operators over HTTP/1.1. */
  port: number;
  /** gRPC over HTTP/2. */
  grpcPort: number;
}

/** Ports that a service has unless `<SERVICE>_PORT` and `<SERVICE>_GRPC_PORT` say otherwise. */
export const defaultPorts: Readonly<Record<ServiceName, ServicePorts>> = {
  catalog: { port: 4101, grpcPort: 4201 },
  pricing: { port: 4102, grpcPort: 4202 },
  reviews: { port: 4103, grpcPort: 4203 },
  changelog: { port: 4104, grpcPort: 4204 },
  search: { port: 4105, grpcPort: 4205 },
};

/** Names of a service's own variables. */
export function serviceVariables(name: string) {
  const prefix = name.toUpperCase();
  return {
    port: `${prefix}_PORT`,
    grpcPort: `${prefix}_GRPC_PORT`,
    /** Base URL of its Connect port, as those see it who call it. */
    url: `${prefix}_URL`,
    /** Where its gRPC port is, as those see it who import. */
    grpcUrl: `${prefix}_GRPC_URL`,
    databaseUrl: `${prefix}_DATABASE_URL`,
    /** What its ingest asks for, where that is not INGEST_TOKEN. */
    ingestToken: `${prefix}_INGEST_TOKEN`,
  };
}

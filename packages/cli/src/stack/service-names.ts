/** The services that an embedded stack runs, in the order of their ports and of their start. */
export const serviceNames = ["catalog", "pricing", "reviews", "changelog", "search"] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Where a service is reached. */
export interface ServiceAddress {
  /** Base URL of the Connect port. */
  url: string;
  /** `host:port` of the gRPC port. */
  grpcAddress: string;
}

/** Ports of a service; 0 lets the system choose. */
export interface ServicePorts {
  port: number;
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

/** Start of the names of a service's variables, such as `CATALOG`. */
export function variablePrefix(service: ServiceName): string {
  return service.toUpperCase();
}

/** Where a service is reached. */
export interface ServiceAddress {
  /** Base URL of the Connect port. */
  url: string;
  /** `host:port` of the gRPC port. */
  grpcAddress: string;
}

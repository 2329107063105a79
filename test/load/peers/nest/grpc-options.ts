import { fileURLToPath } from "node:url";
import type { GrpcOptions } from "@nestjs/microservices";

/** The contract of the two Nest processes. */
export const offersProtoFile = fileURLToPath(new URL("offers.proto", import.meta.url));

/** Options of @grpc/proto-loader: empty lists are lists, amounts are numbers. */
export const loaderOptions = { arrays: true, longs: Number };

/** The connection of the gateway to the microservice. @param url host and port */
export function grpcOptions(url: string): GrpcOptions["options"] {
  return { package: "offers", protoPath: offersProtoFile, url, loader: loaderOptions };
}

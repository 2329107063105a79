import type { Environment } from "@storefront/config";
import { UserError } from "../user-error.ts";
import { readStackFile } from "./stack-file.ts";

/** Finds the gRPC port of a service: in the environment, else in the data directory. */
export interface ServiceAddresses {
  /**
   * `host:port` of a service's gRPC port; undefined when the stack does not run the service.
   *
   * @throws UserError when neither the environment nor the data directory tells of a stack.
   */
  grpcAddress(service: string): Promise<string | undefined>;
}

/**
 * @param dataDirectory where `storefront start` leaves its addresses.
 */
export function createServiceAddresses(dataDirectory: string, env: Environment): ServiceAddresses {
  return {
    async grpcAddress(service) {
      const variable = `${service.toUpperCase()}_GRPC_URL`;
      const given = env[variable];
      if (given) return hostAndPort(variable, given);
      const stack = await readStackFile(dataDirectory);
      if (stack !== undefined) return stack.services[service]?.grpcAddress;
      throw new UserError(
        `There is no running stack in ${dataDirectory}: start one, or set ${variable} and INGEST_TOKEN.`,
      );
    },
  };
}

/** Takes `host:port` and `http://host:port`. */
function hostAndPort(variable: string, value: string): string {
  const address = /^(?:http:\/\/)?([^/\s]+:\d{1,5})\/?$/.exec(value)?.[1];
  if (address !== undefined) return address;
  throw new UserError(`${variable} must be host:port of the service's gRPC port.`);
}

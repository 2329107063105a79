import { Code, ConnectError } from "@connectrpc/connect";
import {
  clientTlsRules,
  clientTlsShape,
  createLogger,
  option,
  parseEnvironment,
  serviceVariables,
  tlsFilesOf,
} from "@storefront/process";
import type { Environment } from "@storefront/process";
import { createGrpcTransport, handshakeFailure, openTlsCredentials } from "@storefront/rpc";
import type { ClosableTransport, TlsCredentials } from "@storefront/rpc";
import { z } from "zod";
import { UserError } from "../user-error.ts";
import { findIngestToken } from "./ingest-token.ts";
import { readStackFile } from "./data-directory.ts";

/** Connections to the gRPC ports of a running stack, which end with their scope. */
export interface ServiceConnections extends AsyncDisposable {
  /**
   * Opens one, with the service's ingest token and its current address; undefined when the stack does not run it.
   *
   * @throws NoStackError when neither the environment nor the data directory has a stack.
   * @throws UserError when the environment has a malformed address.
   * @throws TlsError when the token would be sent in plain text although TLS is used.
   */
  open(service: string): Promise<ClosableTransport | undefined>;
  /**
   * The cause of a call that could not reach a service: a TlsError when the two cannot agree on TLS,
   * otherwise the same error.
   */
  explain(service: string, error: unknown): Promise<unknown>;
}

export interface StackContext {
  /** Directory in which `storefront start` writes its addresses. */
  readonly dataDirectory: string;
  readonly env: Environment;
}

/** There is no stack, or none yet. */
export class NoStackError extends UserError {}

/**
 * Finds services in the environment, else in the data directory.
 *
 * @throws ConfigError, TlsError when the variables of TLS are wrong.
 */
export async function createServiceConnections({
  dataDirectory,
  env,
}: StackContext): Promise<ServiceConnections> {
  const tls = await openClientTls(env);
  const opened = new Set<ClosableTransport>();

  async function optionsOf(service: string) {
    const { grpcUrl } = serviceVariables(service);
    const given = env[grpcUrl];
    if (given) {
      const { data: address, error } = zGrpcUrl(service).safeParse(given);
      if (address === undefined) throw new UserError(`${grpcUrl} ${error?.issues[0]?.message}.`);
      return { address, tls };
    }
    const stack = await readStackFile(dataDirectory);
    if (stack === undefined) {
      throw new NoStackError(
        `There is no running stack in ${dataDirectory}: start one, or set ${grpcUrl} and INGEST_TOKEN.`,
      );
    }
    const address = stack.services[service]?.grpcAddress;
    // Its addresses are on this machine only, in plain text.
    return address === undefined ? undefined : { address };
  }

  return {
    async open(service) {
      const options = await optionsOf(service);
      if (options === undefined) return undefined;
      const token = await findIngestToken(dataDirectory, env, service);
      const transport = createGrpcTransport({ ...options, token });
      const close = async () => {
        opened.delete(transport);
        await transport.close();
      };
      opened.add(transport);
      return { ...transport, close };
    },
    async explain(service, error) {
      if (!(error instanceof ConnectError) || error.code !== Code.Unavailable) return error;
      // The next connection reports a stack that has stopped.
      const options = await optionsOf(service).catch(() => undefined);
      return (options && (await handshakeFailure(options))) ?? error;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened].map((transport) => transport.close()));
      tls?.close();
    },
  };
}

const zGrpcAddress = z
  .string()
  .regex(
    /^(?:https?:\/\/)?[^/\s]+:\d{1,5}\/?$/,
    "must be host:port of the service's gRPC port, or https://host:port with TLS",
  )
  .transform((address) => address.replace(/^http:\/\/|\/$/g, ""));

/** The address of a service's gRPC port, for commands. */
export function zGrpcUrl(service: string) {
  const { grpcUrl } = serviceVariables(service);
  return option(grpcUrl, zGrpcAddress.optional(), "from `DATA_DIR`").describe(
    "`host:port`, or with TLS `https://host:port`, of a service's gRPC port, where `import`, `export` and `reindex` find a stack that runs elsewhere.",
  );
}

const zTls = z.object(clientTlsShape);

/**
 * The TLS certificate and trusted authorities of a command; undefined when no variable sets them.
 *
 * @throws ConfigError, TlsError
 */
export async function openClientTls(env: Environment): Promise<TlsCredentials | undefined> {
  const [config] = parseEnvironment([zTls], env, clientTlsRules);
  const files = tlsFilesOf(config);
  if (files === undefined) return undefined;
  const logger = createLogger({ service: "cli", level: "warn", destination: process.stderr });
  return await openTlsCredentials({ ...files, logger });
}

import type { Transport } from "@connectrpc/connect";
import { serviceVariables } from "@storefront/process";
import type { ServiceName } from "@storefront/process";
import { createTransport } from "@storefront/rpc";
import type { TlsCredentials } from "@storefront/rpc";
import type { RunningStack } from "../stack/data-directory.ts";
import { findIngestToken } from "../stack/ingest-token.ts";
import type { StackContext } from "../stack/service-connections.ts";

/** The result of one check of `storefront doctor`. */
export interface Check {
  name: string;
  /** The finding of a successful check. */
  finding?: string;
  /** The problem, as a sentence. */
  problem?: string;
  /** The remedy, as a sentence. */
  remedy?: string;
}

export function fine(name: string, finding: string): Check {
  return { name, finding };
}

export function wrong(name: string, problem: string, remedy: string): Check {
  return { name, problem, remedy };
}

/** The stack that the doctor checks. */
export interface ExaminedStack extends StackContext {
  /** The one that runs on the data directory. */
  readonly running: RunningStack | undefined;
  readonly tls: TlsCredentials | undefined;
}

/** Longest wait for a response, in milliseconds: a health check probes for 1.5 s at most. */
export const timeoutMs = 3_000;

/** Base URL of a service, where the environment or the running stack has it. */
export function urlOf(service: ServiceName, { running, env }: ExaminedStack): string | undefined {
  return env[serviceVariables(service).url] || running?.services[service]?.url;
}

/** Calls a service over a connection of its own. */
export async function callService<Result>(
  baseUrl: string,
  { tls, token }: { tls: TlsCredentials | undefined; token?: string },
  call: (transport: Transport) => Promise<Result>,
): Promise<Result> {
  const transport = createTransport({ baseUrl, tls, token });
  try {
    return await call(transport);
  } finally {
    await transport.close();
  }
}

/**
 * The same, with its ingest token.
 *
 * @returns undefined where its address or its token is unknown; another check reports a missing or wrong
 * token.
 */
export async function callWithToken<Result>(
  service: ServiceName,
  stack: ExaminedStack,
  call: (transport: Transport) => Promise<Result>,
): Promise<Result | undefined> {
  const { dataDirectory, env, tls } = stack;
  const url = urlOf(service, stack);
  const token = await findIngestToken(dataDirectory, env, service).catch(() => undefined);
  if (url === undefined || token === undefined) return undefined;
  return await callService(url, { tls, token }, call);
}

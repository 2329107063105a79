import { serviceNames } from "@storefront/process";
import type { ServiceName } from "@storefront/process";
// Imported without the rest of the package, which would delay the start.
import { Backoff } from "@storefront/rpc/backoff";
import type { Terminal } from "../terminal.ts";
import type { ServiceAddress } from "./data-directory.ts";

// A gateway that has just started may still be making its connections. Each request delays the indexing.
const firstPauseMs = 50;
const longestPauseMs = 400;
/** A process that is stopped at a breakpoint does not respond. */
const lookTimeoutMs = 2_000;

/**
 * Waits until a GET of this address succeeds.
 *
 * @throws the signal's reason when it is aborted before.
 */
export async function untilOk(address: string, signal: AbortSignal): Promise<void> {
  const backoff = new Backoff(firstPauseMs, longestPauseMs);
  for (;;) {
    signal.throwIfAborted();
    const ended = AbortSignal.any([signal, AbortSignal.timeout(lookTimeoutMs)]);
    const isOk = await fetch(address, { signal: ended }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
    if (isOk) return;
    await backoff.wait(signal);
  }
}

/** Addresses of a stack. */
export interface StackAddresses {
  gatewayUrl: string;
  explorerUrl: string;
  /** Base URL of ingest by HTTP; undefined without. */
  ingestUrl?: string | undefined;
  /** Base URL of the RPCs that manage webhooks; undefined without. */
  webhooksUrl?: string | undefined;
  services: Readonly<Record<ServiceName, ServiceAddress>>;
}

/** Writes the addresses of a stack that is ready, as one line of JSON or for people. */
export function printReady(json: boolean, addresses: StackAddresses, terminal: Terminal): void {
  const { gatewayUrl, explorerUrl, ingestUrl, webhooksUrl, services } = addresses;
  if (json) {
    terminal.out(JSON.stringify({ ready: true, ...addresses }));
    return;
  }
  terminal.out(`gateway    ${gatewayUrl}`);
  terminal.out(`explorer   ${explorerUrl}`);
  if (ingestUrl !== undefined) terminal.out(`ingest     ${ingestUrl}/ingest`);
  for (const name of serviceNames) {
    const { url, grpcAddress } = services[name];
    terminal.out(`${name.padEnd(10)} ${url} (Connect), ${grpcAddress} (gRPC)`);
  }
  if (webhooksUrl !== undefined) terminal.out(`webhooks   ${webhooksUrl} (Connect)`);
  terminal.out("ready");
}

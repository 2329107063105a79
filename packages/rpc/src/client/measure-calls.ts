import { ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { durationBucketsSeconds, Histogram } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import { methodNameOf } from "../rpc-attributes.ts";
import type { ClosableTransport } from "./closable-transport.ts";

/** Metrics of the calls to services; the transports of a process share them. */
export type ClientMetrics = Histogram<"upstream" | "procedure" | "code">;

/** The metrics of calls to one service. */
export interface UpstreamMetrics {
  /** Name of the service. */
  upstream: string;
  metrics: ClientMetrics;
}

/** Creates the metrics of calls to services. */
export function createClientMetrics(metrics: Metrics): ClientMetrics {
  return new Histogram({
    name: "rpc_client_call_duration_seconds",
    help: "Time that unary calls to services take, a second try included.",
    labelNames: ["upstream", "procedure", "code"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
}

/**
 * A transport that counts and measures its unary calls. Streams last as long as their readers, and are not
 * measured.
 */
export function measureCalls(
  transport: ClosableTransport,
  { upstream, metrics }: UpstreamMetrics,
): ClosableTransport {
  const unary: Transport["unary"] = async (method, ...call) => {
    const startedAt = performance.now();
    let code = "ok";
    try {
      return await transport.unary(method, ...call);
    } catch (error) {
      code = codeToString(ConnectError.from(error).code);
      throw error;
    } finally {
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.observe({ upstream, procedure: methodNameOf(method), code }, seconds);
    }
  };
  return { ...transport, unary };
}

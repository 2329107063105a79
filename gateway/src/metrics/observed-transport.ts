import { ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { ClosableTransport } from "@storefront/rpc";
import { durationBucketsSeconds, Histogram } from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";

/** Makes a transport count and time the unary calls that it carries to an upstream service. */
export type ObserveTransport = (
  upstream: string,
  transport: ClosableTransport,
) => ClosableTransport;

/** Makes the metrics of calls to services. Streams last as long as somebody listens, and are not timed. */
export function createUpstreamMetrics(metrics: Metrics): ObserveTransport {
  const durations = new Histogram({
    name: "rpc_client_call_duration_seconds",
    help: "Time that unary calls to services take, a second try included.",
    labelNames: ["upstream", "procedure", "code"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  return (upstream, transport) => {
    const unary: Transport["unary"] = async (method, ...call) => {
      const startedAt = performance.now();
      let code = "ok";
      try {
        return await transport.unary(method, ...call);
      } catch (error) {
        code = codeToString(ConnectError.from(error).code);
        throw error;
      } finally {
        const procedure = `${method.parent.typeName}/${method.name}`;
        const seconds = (performance.now() - startedAt) / 1000;
        durations.observe({ upstream, procedure, code }, seconds);
      }
    };
    return {
      unary,
      stream: transport.stream.bind(transport),
      close: () => transport.close(),
    };
  };
}

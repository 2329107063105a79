import { Code, ConnectError } from "@connectrpc/connect";
import {
  Health,
  HealthCheckResponse_ServingStatus,
} from "@storefront/contracts/grpc/health/v1/health";
import { EventEmitter, once } from "node:events";
import { provide } from "./provide.ts";
import type { ProvidedService } from "./provide.ts";
import type { Readiness } from "./readiness.ts";

/** Interval of the readiness checks, in milliseconds. */
const intervalMs = 5000;

const { SERVING, NOT_SERVING, SERVICE_UNKNOWN } = HealthCheckResponse_ServingStatus;

/** The standard health service of a gRPC port. */
export interface GrpcHealth {
  provided: ProvidedService;
  /** Ends the checks; the last status is still served. */
  stop(): void;
}

/**
 * Serves grpc.health.v1 from the readiness checks, the same for the server as a whole, whose name is empty,
 * and for each of its services.
 *
 * Protocol: https://github.com/grpc/grpc/blob/master/doc/health-checking.md
 *
 * @param serviceNames full names of the services
 */
export async function startGrpcHealth(
  serviceNames: readonly string[],
  readiness: Readiness,
): Promise<GrpcHealth> {
  const names = new Set(["", ...serviceNames]);
  const changes = new EventEmitter().setMaxListeners(0);
  let status: HealthCheckResponse_ServingStatus = NOT_SERVING;

  async function look(): Promise<void> {
    const { ready } = await readiness.report();
    const seen = ready ? SERVING : NOT_SERVING;
    if (seen === status) return;
    status = seen;
    changes.emit("change");
  }
  await look();
  const timer = setInterval(() => void look(), intervalMs);
  timer.unref();
  readiness.onDrain(() => void look());

  const provided = provide(Health, {
    check({ service }) {
      if (names.has(service)) return { status };
      throw new ConnectError("the server has no service of this name", Code.NotFound);
    },
    list: () => ({
      statuses: Object.fromEntries([...names].map((name) => [name, { status }])),
    }),
    async *watch({ service }, { signal }) {
      // By the protocol an unknown name may become known; here none does.
      if (!names.has(service)) {
        yield { status: SERVICE_UNKNOWN };
        if (!signal.aborted) await once(signal, "abort");
        return;
      }
      for (;;) {
        const sent = status;
        yield { status: sent };
        if (sent === status) await once(changes, "change", { signal });
      }
    },
  });
  return { provided, stop: () => clearInterval(timer) };
}

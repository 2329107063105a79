import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { HealthService } from "@storefront/contracts/health/v1/health_service";
import type { ClosableTransport } from "@storefront/rpc";
import type { BreakerOptions } from "./upstream-options.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";

export interface GuardOptions {
  /** Calls at a time, including those that wait for a connection. */
  callsMax: number;
  breaker: BreakerOptions;
}

/** The state of the calls to a service. */
export interface UpstreamState {
  /** Calls at present, including those that wait for a connection. */
  readonly callCount: number;
  /** Whether it counts as down. */
  readonly isBroken: boolean;
  /** Calls that were not made, since the start: too many waited, or the service was down. */
  readonly refused: { readonly queue_full: number; readonly breaker_open: number };
}

export interface GuardedTransport extends ClosableTransport {
  readonly state: UpstreamState;
}

/** Bounds the number of unary calls, and fails them at once while the service is down; probes of its health always pass. */
export function guardedTransport(
  transport: ClosableTransport,
  { callsMax, breaker: breakerOptions }: GuardOptions,
): GuardedTransport {
  const breaker = new CircuitBreaker(breakerOptions);
  const refused = { queue_full: 0, breaker_open: 0 };
  let callCount = 0;

  const unary: Transport["unary"] = async (method, ...call) => {
    if (method.parent.typeName === HealthService.typeName) {
      return await transport.unary(method, ...call);
    }
    if (!breaker.isPassable) {
      refused.breaker_open += 1;
      throw new ConnectError("the service is down: its breaker is open", Code.Unavailable);
    }
    if (callCount >= callsMax) {
      refused.queue_full += 1;
      throw new ConnectError("too many calls wait for the service", Code.Unavailable);
    }
    callCount += 1;
    try {
      return await breaker.run(() => transport.unary(method, ...call));
    } finally {
      callCount -= 1;
    }
  };

  return {
    unary,
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
    state: {
      refused,
      get callCount() {
        return callCount;
      },
      get isBroken() {
        return breaker.isOpen;
      },
    },
  };
}

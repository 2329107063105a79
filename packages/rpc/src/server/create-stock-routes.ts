import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ConnectRouter, HandlerContext, MethodImplSpec } from "@connectrpc/connect";
import { runForCall, settledWithin } from "@storefront/call-scope";
import type { Call } from "@storefront/call-scope";
import { runForSpan } from "@storefront/telemetry";
import { toMessage } from "../encoded/encoded-message.ts";
import { maxTimeoutMs } from "../limits.ts";
import { deadlineExceeded } from "./call-context.ts";
import type { InFlight, Stoppable } from "./in-flight.ts";
import type { CallObserver } from "./create-call-observer.ts";
import type { ProvidedService } from "./provide.ts";

/** What the routes use. */
export interface StockRoutesDependencies {
  services: readonly ProvidedService[];
  observer: CallObserver;
  inFlight: InFlight;
  /** Deadline of unary calls that come without one. */
  callTimeoutMs: number;
}

/**
 * The same handlers for Connect's own adapter: it serves what the fast path does not (JSON, GET,
 * gRPC-Web, streams, compression). Failures are mapped here and `encoded` answers decoded.
 */
export function createStockRoutes(dependencies: StockRoutesDependencies) {
  return (router: ConnectRouter): void => {
    for (const { methods } of dependencies.services) {
      for (const spec of methods) register(router, observe(spec, dependencies));
    }
  };
}

function register(router: ConnectRouter, spec: MethodImplSpec): void {
  // Each case names the same pair; only then does TypeScript see that they belong together.
  switch (spec.kind) {
    case "unary":
      router.rpc(spec.method, spec.impl);
      break;
    case "server_streaming":
      router.rpc(spec.method, spec.impl);
      break;
    case "client_streaming":
      router.rpc(spec.method, spec.impl);
      break;
    case "bidi_streaming":
      router.rpc(spec.method, spec.impl);
      break;
  }
}

type Output = MessageInitShape<DescMessage>;
type Observation = Omit<StockRoutesDependencies, "services">;

function observe(spec: MethodImplSpec, observation: Observation): MethodImplSpec {
  const { output } = spec.method;
  switch (spec.kind) {
    case "unary":
      return {
        ...spec,
        impl: (request: MessageShape<DescMessage>, context: HandlerContext) =>
          one(context, output, observation, async () => await spec.impl(request, context)),
      };
    case "client_streaming":
      return {
        ...spec,
        impl: (requests: AsyncIterable<MessageShape<DescMessage>>, context: HandlerContext) =>
          one(context, output, observation, async () => await spec.impl(requests, context)),
      };
    case "server_streaming":
      return {
        ...spec,
        impl: (request: MessageShape<DescMessage>, context: HandlerContext) =>
          many(context, output, observation, () => spec.impl(request, context)),
      };
    case "bidi_streaming":
    default:
      return {
        ...spec,
        impl: (requests: AsyncIterable<MessageShape<DescMessage>>, context: HandlerContext) =>
          many(context, output, observation, () => spec.impl(requests, context)),
      };
  }
}

async function one(
  context: HandlerContext,
  output: DescMessage,
  observation: Observation,
  call: () => Promise<Output>,
): Promise<MessageShape<DescMessage>> {
  const tracked = track(context, observation);
  try {
    const answer = runForCall(tracked.call, () => runForSpan(tracked.span, call));
    return toMessage(output, await tracked.inTime(answer));
  } catch (error) {
    throw tracked.fail(error);
  } finally {
    tracked.end();
  }
}

// Not run for the call's span: the trace would gather spans for as long as somebody listens.
async function* many(
  context: HandlerContext,
  output: DescMessage,
  observation: Observation,
  call: () => AsyncIterable<Output>,
): AsyncIterable<MessageShape<DescMessage>> {
  const tracked = track(context, observation);
  try {
    const messages = runForCall(tracked.call, () => call()[Symbol.asyncIterator]());
    try {
      // A generator runs for whoever asks for its next message.
      const next = () => runForCall(tracked.call, () => messages.next());
      for (let message = await next(); message.done !== true; message = await next()) {
        yield toMessage(output, message.value);
      }
    } finally {
      await messages.return?.();
    }
  } catch (error) {
    throw tracked.fail(error);
  } finally {
    tracked.end();
  }
}

/** Counts a call as running until `end`; `fail` gives what the caller is told. */
function track(context: HandlerContext, { observer, inFlight, callTimeoutMs }: Observation) {
  const startedAt = performance.now();
  const span = observer.begin(context.method, context.protocolName, context.requestHeader);
  const stop = stoppable(context);
  const limitMs = context.method.methodKind === "unary" ? callTimeoutMs : Infinity;
  const leftMs = context.timeoutMs() ?? limitMs;
  let failure: ConnectError | undefined;
  inFlight.start(stop);
  return {
    span,
    call: callOf(context, Date.now() + leftMs),
    /** Fails at the deadline, whether the handler listens or not. */
    inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
      if (leftMs === Infinity) return answer;
      return settledWithin(Math.min(leftMs, maxTimeoutMs), answer, () => {
        const error = deadlineExceeded();
        stop.abort(error);
        throw error;
      });
    },
    fail(error: unknown): ConnectError {
      failure = observer.fail(reasonOf(error, context), context, span);
      return failure;
    },
    end(): void {
      inFlight.end(stop);
      observer.end(context, startedAt, span, failure);
    },
  };
}

function callOf({ signal }: HandlerContext, deadlineMs: number): Call {
  const reason = () => ConnectError.from(signal.reason, Code.Canceled);
  return {
    deadlineMs,
    get abortReason() {
      return signal.aborted ? reason() : undefined;
    },
    onAbort(listener) {
      const onAbort = () => listener(reason());
      signal.addEventListener("abort", onAbort, { once: true });
      return () => signal.removeEventListener("abort", onAbort);
    },
  };
}

// Connect's own context has the method, its type does not say so.
function stoppable(context: HandlerContext): Stoppable {
  return {
    abort(reason) {
      if ("abort" in context && typeof context.abort === "function") context.abort(reason);
    },
  };
}

// A handler stopped through its signal fails with whatever it was doing; the caller gets why. That a
// client over HTTP/1.1 has hung up comes as Node's own error, which is no fault of the service.
function reasonOf(error: unknown, { signal }: HandlerContext): unknown {
  if (!signal.aborted) return error;
  const reason: unknown = signal.reason;
  return reason instanceof DOMException ? ConnectError.from(reason, Code.Canceled) : reason;
}

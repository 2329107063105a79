import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { toMessage } from "../encoded/encoded-message.ts";
import { toConnectError } from "../errors/connect-error.ts";
import { canceled } from "./call-context.ts";
import type { Procedure, ProvidedService } from "./provide.ts";
import { ServerCall } from "./server-call.ts";
import type { CallDependencies } from "./server-call.ts";

type Request = MessageShape<DescMessage>;
type Output = MessageInitShape<DescMessage>;

/**
 * The handlers for Connect's own adapter, which serves calls that the fast path does not: JSON, GET,
 * gRPC-Web, streams, compression.
 */
export function createStockRoutes(
  services: readonly ProvidedService[],
  dependencies: CallDependencies,
) {
  return (router: ConnectRouter): void => {
    for (const { methods } of services) {
      for (const procedure of methods) register(router, procedure, dependencies);
    }
  };
}

function register(
  router: ConnectRouter,
  procedure: Procedure,
  dependencies: CallDependencies,
): void {
  const begin = (context: HandlerContext) => beginCall(procedure, context, dependencies);
  const { check } = procedure;
  // Each case passes the same method and handler; only within a case does TypeScript see that they match.
  switch (procedure.kind) {
    case "unary":
      router.rpc(procedure.method, (request: Request, context) =>
        one(begin(context), async (call) => await procedure.impl(check(request), call)),
      );
      break;
    case "client_streaming":
      router.rpc(procedure.method, (requests: AsyncIterable<Request>, context) =>
        one(begin(context), async (call) => await procedure.impl(checkAll(requests, check), call)),
      );
      break;
    case "server_streaming":
      router.rpc(procedure.method, (request: Request, context) =>
        many(
          () => begin(context),
          (call) => procedure.impl(check(request), call),
        ),
      );
      break;
    case "bidi_streaming":
      router.rpc(procedure.method, (requests: AsyncIterable<Request>, context) =>
        many(
          () => begin(context),
          (call) => procedure.impl(checkAll(requests, check), call),
        ),
      );
      break;
  }
}

function beginCall(
  procedure: Procedure,
  context: HandlerContext,
  dependencies: CallDependencies,
): ServerCall {
  const { protocolName, url, requestHeader, responseHeader, responseTrailer, signal } = context;
  const leftMs = context.timeoutMs();
  const call = new ServerCall(
    procedure,
    {
      method: procedure.method,
      protocolName,
      url,
      deadlineMs: leftMs === undefined ? undefined : Date.now() + leftMs,
      traceparent: requestHeader.get("traceparent") ?? undefined,
      tracestate: requestHeader.get("tracestate") ?? undefined,
      readHeaders: () => requestHeader,
      responseHeader,
      responseTrailer,
    },
    dependencies,
  );
  const abort = (): void => {
    if (call.hasEnded) return;
    const reason: unknown = signal.reason;
    // The disconnect of a client over HTTP/1.1 is reported as the default reason of a signal.
    call.abort(reason instanceof DOMException ? canceled() : toConnectError(reason));
  };
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return call;
}

async function one(
  call: ServerCall,
  handle: (call: ServerCall) => Promise<Output>,
): Promise<Request> {
  try {
    const late = Promise.withResolvers<never>();
    call.failAtDeadline(late.reject);
    const message = await Promise.race([call.run(() => handle(call)), late.promise]);
    const response = toMessage(call.method.output, message);
    call.end();
    return response;
  } catch (error) {
    throw call.fail(error);
  }
}

async function* many(
  begin: () => ServerCall,
  handle: (call: ServerCall) => AsyncIterable<Output>,
): AsyncGenerator<Request> {
  // Only once it is read: an unread stream would never end.
  const call = begin();
  try {
    const messages = call.run(() => handle(call)[Symbol.asyncIterator]());
    try {
      // A generator runs for the call that reads its next message.
      const next = () => call.run(() => messages.next());
      for (let message = await next(); message.done !== true; message = await next()) {
        yield toMessage(call.method.output, message.value);
      }
    } finally {
      await messages.return?.();
    }
  } catch (error) {
    throw call.fail(error);
  } finally {
    call.end();
  }
}

async function* checkAll(
  requests: AsyncIterable<Request>,
  check: Procedure["check"],
): AsyncGenerator<Request> {
  for await (const request of requests) yield check(request);
}

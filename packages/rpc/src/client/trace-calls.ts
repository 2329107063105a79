import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { activeSpan } from "@storefront/process";
import type { Span } from "@storefront/process";
import { methodNameOf, rpcSystemOf, statusAttributes } from "../rpc-attributes.ts";
import type { ClosableTransport } from "./closable-transport.ts";

type HeadersSource = ConstructorParameters<typeof Headers>[0];

/**
 * A transport that makes each call a child of the active span, and sends the trace to the service. Without an
 * active span calls are passed on unchanged, with the trace of their headers, if any.
 *
 * @param url address of the service
 */
export function traceCalls(
  transport: ClosableTransport,
  protocol: "connect" | "grpc",
  url: URL,
): ClosableTransport {
  const target = {
    "rpc.system.name": rpcSystemOf(protocol),
    "server.address": url.hostname,
    "server.port": Number(url.port) || (url.protocol === "https:" ? 443 : 80),
  };
  const begin = (parent: Span, method: DescMethod): Span => {
    const name = methodNameOf(method);
    return parent.child(name, { kind: "client", attributes: { ...target, "rpc.method": name } });
  };
  const succeed = (span: Span): void => {
    span.set(statusAttributes(protocol, undefined).attributes);
  };
  const fail = (span: Span, error: unknown): void => {
    const { code, attributes } = statusAttributes(protocol, ConnectError.from(error));
    span.set(attributes);
    span.fail(code);
  };

  const unary: Transport["unary"] = (method, signal, timeoutMs, header, input, contextValues) => {
    const parent = activeSpan();
    if (parent === undefined) {
      return transport.unary(method, signal, timeoutMs, header, input, contextValues);
    }
    const span = begin(parent, method);
    const headers = withTrace(header, span);
    return transport
      .unary(method, signal, timeoutMs, headers, input, contextValues)
      .then(
        (response) => {
          succeed(span);
          return response;
        },
        (error: unknown) => {
          fail(span, error);
          throw error;
        },
      )
      .finally(() => span.end());
  };

  const stream: Transport["stream"] = async (
    method,
    signal,
    timeoutMs,
    header,
    input,
    contextValues,
  ) => {
    const parent = activeSpan();
    if (parent === undefined) {
      return await transport.stream(method, signal, timeoutMs, header, input, contextValues);
    }
    const span = begin(parent, method);
    const headers = withTrace(header, span);
    let isOver = false;
    const end = (annotate?: () => void): void => {
      if (isOver) return;
      isOver = true;
      signal?.removeEventListener("abort", abort);
      annotate?.();
      span.end();
    };
    // There may be no reader that could detect that.
    const abort = (): void => end(() => fail(span, new ConnectError("aborted", Code.Canceled)));
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const response = await transport.stream(
        method,
        signal,
        timeoutMs,
        headers,
        input,
        contextValues,
      );
      const message = withOutcome(response.message, {
        succeed: () => end(() => succeed(span)),
        fail: (error) => end(() => fail(span, error)),
        leave: () => end(),
      });
      return { ...response, message };
    } catch (error) {
      end(() => fail(span, error));
      throw error;
    }
  };

  return { unary, stream, close: () => transport.close() };
}

function withTrace(header: HeadersSource, { traceparent, tracestate }: Span): Headers {
  const headers = new Headers(header);
  headers.set("traceparent", traceparent);
  // The call's headers may be of another trace: joined work is in the trace of one caller.
  if (tracestate === undefined) headers.delete("tracestate");
  else headers.set("tracestate", tracestate);
  return headers;
}

/** Called when a stream has ended; `leave` also after another one. */
interface StreamOutcome {
  succeed(): void;
  fail(error: unknown): void;
  leave(): void;
}

async function* withOutcome<Message>(
  messages: AsyncIterable<Message>,
  outcome: StreamOutcome,
): AsyncGenerator<Message> {
  try {
    yield* messages;
    outcome.succeed();
  } catch (error) {
    outcome.fail(error);
    throw error;
  } finally {
    outcome.leave();
  }
}

import { create, toBinary } from "@bufbuild/protobuf";
import type {
  DescMessage,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import type { Interceptor, Transport, UnaryResponse } from "@connectrpc/connect";
import { runUnaryCall } from "@connectrpc/connect/protocol";
import { trailerDemux } from "@connectrpc/connect/protocol-connect";
import type { Dispatcher } from "undici";
import { decodeMessage } from "../decode/decode-message.ts";
import { maxTimeoutMs, requestLimitBytes } from "../limits.ts";
import { toHeaders } from "../to-headers.ts";
import { callUnary } from "./call-unary.ts";
import type { RawAnswer, RawRequest } from "./call-unary.ts";

/** What unary calls use. */
export interface UnaryFunctionDependencies {
  baseUrl: string;
  pool: Dispatcher;
  interceptors: Interceptor[];
  defaultTimeoutMs: number;
}

/** What `new Headers` takes. */
type HeadersSource = ConstructorParameters<typeof Headers>[0];

// After a failure there must be at least this much time for a second try to be worth it.
const retryMinMs = 5;

/** The `unary` of a transport. Without interceptors it makes no Headers, signals or requests of Connect's. */
export function createUnaryFunction(dependencies: UnaryFunctionDependencies): Transport["unary"] {
  const { baseUrl, pool, interceptors, defaultTimeoutMs } = dependencies;
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");

  async function call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number,
    headers: HeadersSource,
    input: MessageInitShape<I>,
  ): Promise<UnaryResponse<I, O>> {
    const body = toBinary(method.input, create(method.input, input));
    if (body.length > requestLimitBytes) throw requestTooLarge();
    const path = `${prefix}/${method.parent.typeName}/${method.name}`;
    const answer = await callWithRetry(
      pool,
      { path, headers: requestHeaders(headers, timeoutMs), body, timeoutMs, signal },
      method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
    );
    return new UnaryAnswer(method, answer);
  }

  return async (method, signal, timeoutMs, header, input, contextValues) => {
    // 0 means no deadline elsewhere; a unary call always has one.
    const wantedMs = timeoutMs === undefined || timeoutMs <= 0 ? defaultTimeoutMs : timeoutMs;
    const limitMs = Math.min(wantedMs, maxTimeoutMs);
    if (interceptors.length === 0) return await call(method, signal, limitMs, header, input);
    return await runUnaryCall({
      interceptors,
      timeoutMs: limitMs,
      ...(signal === undefined ? {} : { signal }),
      req: {
        stream: false,
        service: method.parent,
        method,
        requestMethod: "POST",
        url: `${baseUrl.replace(/\/$/, "")}/${method.parent.typeName}/${method.name}`,
        header: new Headers(header),
        contextValues: contextValues ?? createContextValues(),
        message: input,
      },
      next: async (request) =>
        await call(request.method, request.signal, limitMs, request.header, request.message),
    });
  };
}

async function callWithRetry(
  pool: Dispatcher,
  request: RawRequest,
  repeatable: boolean,
): Promise<RawAnswer> {
  const startedAt = performance.now();
  try {
    return await callUnary(pool, request);
  } catch (error) {
    const timeoutMs = Math.floor(request.timeoutMs - (performance.now() - startedAt));
    const worthIt = repeatable && timeoutMs >= retryMinMs && !request.signal?.aborted;
    if (!worthIt || ConnectError.from(error).code !== Code.Unavailable) throw error;
    return await callUnary(pool, { ...request, timeoutMs });
  }
}

function requestHeaders(extra: HeadersSource, timeoutMs: number): string[] {
  const headers = [
    "content-type",
    "application/proto",
    "connect-protocol-version",
    "1",
    "connect-timeout-ms",
    String(Math.ceil(timeoutMs)),
  ];
  if (extra === undefined) return headers;
  const pairs = Symbol.iterator in extra ? extra : Object.entries(extra);
  for (const [name, value] of pairs)
    if (name !== undefined && value !== undefined) headers.push(name, value);
  return headers;
}

/** Decodes the message at once, headers and trailers when they are asked for. */
class UnaryAnswer<I extends DescMessage, O extends DescMessage> implements UnaryResponse<I, O> {
  readonly stream = false;
  readonly method: DescMethodUnary<I, O>;
  readonly service: DescService;
  readonly message: MessageShape<O>;
  readonly #answer: RawAnswer;
  #metadata: [header: Headers, trailer: Headers] | undefined;

  constructor(method: DescMethodUnary<I, O>, answer: RawAnswer) {
    this.method = method;
    this.service = method.parent;
    this.message = decode(method.output, answer.body);
    this.#answer = answer;
  }

  get header(): Headers {
    return this.#demux()[0];
  }

  get trailer(): Headers {
    return this.#demux()[1];
  }

  #demux(): [header: Headers, trailer: Headers] {
    this.#metadata ??= trailerDemux(toHeaders(this.#answer.headers));
    return this.#metadata;
  }
}

function decode<O extends DescMessage>(output: O, body: Uint8Array): MessageShape<O> {
  try {
    return decodeMessage(output, body);
  } catch (error) {
    throw new ConnectError(
      "the answer is not a message of the method's type",
      Code.Internal,
      undefined,
      undefined,
      error,
    );
  }
}

function requestTooLarge(): ConnectError {
  return new ConnectError(
    `the request is larger than ${requestLimitBytes} bytes`,
    Code.ResourceExhausted,
  );
}

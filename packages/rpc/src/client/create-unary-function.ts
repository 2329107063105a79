import { create, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, DescMethodUnary, DescService, MessageShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Transport, UnaryResponse } from "@connectrpc/connect";
import { trailerDemux } from "@connectrpc/connect/protocol-connect";
import type { Dispatcher } from "undici";
import { decodeMessage } from "../decode/decode-message.ts";
import { errorWithCause } from "../errors/connect-error.ts";
import { defaultCallTimeoutMs, maxTimeoutMs, requestLimitBytes, tooLarge } from "../limits.ts";
import { toHeaders } from "../to-headers.ts";
import { callUnary } from "./call-unary.ts";
import type { RawResponse, RawRequest } from "./call-unary.ts";

/** The parameter of `new Headers`. */
type HeadersSource = ConstructorParameters<typeof Headers>[0];

// Least remaining time after a failure for which a retry is useful.
const retryMinMs = 5;

/** The `unary` of a transport. It creates no Headers, signals or requests of Connect. */
export function createUnaryFunction(baseUrl: string, pool: Dispatcher): Transport["unary"] {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
  return async (method, signal, timeoutMs, header, input) => {
    // 0 means no deadline elsewhere; a unary call always has one.
    const wantedMs = timeoutMs === undefined || timeoutMs <= 0 ? defaultCallTimeoutMs : timeoutMs;
    const limitMs = Math.min(wantedMs, maxTimeoutMs);
    const body = toBinary(method.input, create(method.input, input));
    if (body.length > requestLimitBytes) throw tooLarge("request", requestLimitBytes);
    const path = `${prefix}/${method.parent.typeName}/${method.name}`;
    const response = await callWithRetry(
      pool,
      { path, headers: requestHeaders(header, limitMs), body, timeoutMs: limitMs, signal },
      method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
    );
    return new DecodedResponse(method, response);
  };
}

async function callWithRetry(
  pool: Dispatcher,
  request: RawRequest,
  repeatable: boolean,
): Promise<RawResponse> {
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

/** Decodes the message at once, headers and trailers on their first use. */
class DecodedResponse<I extends DescMessage, O extends DescMessage> implements UnaryResponse<I, O> {
  readonly stream = false;
  readonly method: DescMethodUnary<I, O>;
  readonly service: DescService;
  readonly message: MessageShape<O>;
  readonly #response: RawResponse;
  #metadata: [header: Headers, trailer: Headers] | undefined;

  constructor(method: DescMethodUnary<I, O>, response: RawResponse) {
    this.method = method;
    this.service = method.parent;
    this.message = decode(method.output, response.body);
    this.#response = response;
  }

  get header(): Headers {
    return this.#demux()[0];
  }

  get trailer(): Headers {
    return this.#demux()[1];
  }

  #demux(): [header: Headers, trailer: Headers] {
    this.#metadata ??= trailerDemux(toHeaders(this.#response.headers));
    return this.#metadata;
  }
}

function decode<O extends DescMessage>(output: O, body: Uint8Array): MessageShape<O> {
  try {
    return decodeMessage(output, body);
  } catch (error) {
    throw errorWithCause(
      "the response is not a message of the method's type",
      Code.Internal,
      error,
    );
  }
}

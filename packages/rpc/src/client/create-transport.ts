import type { UniversalClientFn, UniversalClientResponse } from "@connectrpc/connect/protocol";
import { createTransport as createStockTransport } from "@connectrpc/connect/protocol-connect";
import { Readable } from "node:stream";
import { Pool, buildConnector } from "undici";
import { responseLimitBytes, defaultCallTimeoutMs, requestLimitBytes } from "../limits.ts";
import type { TlsCredentials, TlsMaterial } from "../tls/open-tls-credentials.ts";
import { toHeaders } from "../to-headers.ts";
import { requireEncryption, withToken } from "./bearer-token.ts";
import type { ClosableTransport } from "./closable-transport.ts";
import { connectErrorOf, unreachable } from "./connect-error-of.ts";
import { createUnaryFunction } from "./create-unary-function.ts";
import { measureCalls } from "./measure-calls.ts";
import type { UpstreamMetrics } from "./measure-calls.ts";
import { traceCalls } from "./trace-calls.ts";

/** Options of calls to a service. */
export interface TransportOptions {
  /**
   * Address of the service's Connect port, for example `http://catalog:4101` or, with TLS,
   * `https://catalog:4101`; may have a path.
   */
  baseUrl: string;
  /** For an `https://` address: the trusted authorities and the own certificate; default the authorities of Node. */
  tls?: TlsCredentials | undefined;
  /** Sent as `authorization: Bearer <token>`; default none. */
  token?: string | undefined;
  /** Most connections; each has one call at a time; default 64. */
  maxConnections?: number | undefined;
  /** Metrics of the unary calls; default: none. */
  metrics?: UpstreamMetrics | undefined;
}

// Less than the idle timeout of servers (90 s), so that no call is sent on a closing connection.
const keepAliveTimeoutMs = 60_000;
const connectTimeoutMs = 5000;
/** Connections are replaced after this long, so that new instances get calls. */
const maxConnectionAgeMs = 300_000;

/**
 * A transport that speaks the Connect protocol over HTTP/1.1 on many connections. Every call has a
 * deadline, by default 10 s, which is sent to the service. Unary calls without side effects are retried once
 * if the connection fails or the service is unavailable. Bidirectional streams need
 * `createGrpcTransport`.
 *
 * @throws TlsError when the token would be sent in plain text although TLS is used
 */
export function createTransport(options: TransportOptions): ClosableTransport {
  const { tls } = options;
  requireEncryption(options.baseUrl, options);
  const url = new URL(options.baseUrl);
  const pool = new Pool(url.origin, {
    connections: options.maxConnections ?? 64,
    clientTtl: maxConnectionAgeMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Calls have deadlines of their own.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect:
      url.protocol === "https:"
        ? createTlsConnector(tls, connectTimeoutMs)
        : { timeout: connectTimeoutMs },
  });
  const streams = createStockTransport({
    baseUrl: options.baseUrl,
    httpClient: createUndiciHttpClient(pool),
    useBinaryFormat: true,
    interceptors: [],
    defaultTimeoutMs: defaultCallTimeoutMs,
    readMaxBytes: responseLimitBytes,
    writeMaxBytes: requestLimitBytes,
    // Internal calls are not compressed.
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: 0,
  });
  const transport: ClosableTransport = {
    unary: createUnaryFunction(options.baseUrl, pool),
    stream: streams.stream.bind(streams),
    close: async () => await pool.close(),
  };
  const traced = traceCalls(withToken(transport, options.token), "connect", url);
  return options.metrics === undefined ? traced : measureCalls(traced, options.metrics);
}

/**
 * Opens connections of an undici pool, each with the current certificates.
 *
 * @param credentials default: no certificate, and the authorities of Node
 */
function createTlsConnector(
  credentials: TlsCredentials | undefined,
  timeoutMs: number,
): buildConnector.connector {
  // A connector caches TLS sessions; those of other certificates are dropped with it.
  let made: { material: TlsMaterial | undefined; connect: buildConnector.connector } | undefined;
  return (options, callback) => {
    const current = credentials?.current;
    if (made === undefined || made.material !== current) {
      const secureContext = current?.secureContext;
      made = {
        material: current,
        connect: buildConnector({ secureContext, timeout: timeoutMs, allowH2: false }),
      };
    }
    made.connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(unreachable(error), null);
    });
  };
}

/** Connect's minimal HTTP client over an undici pool; used for everything but plain unary calls. */
function createUndiciHttpClient(pool: Pool): UniversalClientFn {
  return async ({ url, method, header, body, signal }) => {
    try {
      const { pathname, search } = new URL(url);
      const response = await pool.request({
        path: pathname + search,
        method,
        headers: Object.fromEntries(header),
        body: body === undefined ? null : Readable.from(body, { objectMode: false }),
        signal: signal ?? null,
      });
      return {
        status: response.statusCode,
        header: toHeaders(response.headers),
        body: withMappedErrors(response.body),
        trailer: new Headers(),
      } satisfies UniversalClientResponse;
    } catch (error) {
      throw connectErrorOf(error);
    }
  };
}

async function* withMappedErrors(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw connectErrorOf(error);
  }
}

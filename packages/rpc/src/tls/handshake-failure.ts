import { isIP } from "node:net";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";
import type { TLSSocket } from "node:tls";
import type { TlsCredentials } from "./open-tls-credentials.ts";
import { TlsError } from "./open-tls-credentials.ts";

/** An HTTP/2 port and the credentials to use with it. */
export interface HandshakeOptions {
  /** As for `createGrpcTransport`. */
  address: string;
  tls?: TlsCredentials | undefined;
}

/** Longest wait for the first frame of a server, in milliseconds. */
const patienceMs = 2000;

/** Time within which a server that shuts down closes its port, in milliseconds. */
const endingMs = 500;

const securePrefix = "https://";

/** A failed handshake, by OpenSSL and Node; `reason` is without positions in the sources. */
interface TlsFailure extends Error {
  code?: string;
  reason?: string;
}

type Outcome = "accepted" | "closed" | "unknown" | { failure: TlsFailure };

/**
 * The permanent reason that no call can reach a server: certificates that one side does not accept, or
 * TLS on one side only. Undefined when the server accepts the client, and when it is unavailable or
 * silent, which may be temporary. The gRPC client does not distinguish these.
 */
export async function handshakeFailure(options: HandshakeOptions): Promise<TlsError | undefined> {
  const isSecure = options.address.startsWith(securePrefix);
  if (!isSecure) return await plainFailure(options.address);
  let outcome = await shakeHands(options);
  if (outcome === "closed") {
    // A server that rejects a certificate closes silently, as does one that shuts down.
    await setTimeout(endingMs);
    outcome = await shakeHands(options);
  }
  if (outcome === "closed") {
    return new TlsError(`${options.address} does not accept the certificate that it is shown.`);
  }
  if (typeof outcome === "string" || !isFinal(outcome.failure)) return undefined;
  const { failure } = outcome;
  const reason = failure.reason ?? failure.message;
  return new TlsError(`No TLS with ${options.address}: ${reason}.`, { cause: failure });
}

async function plainFailure(address: string): Promise<TlsError | undefined> {
  const outcome = await shakeHands({ address }, { rejectUnauthorized: false });
  const isTls =
    outcome === "accepted" ||
    outcome === "closed" ||
    (outcome !== "unknown" && /_ALERT_/.test(outcome.failure.code ?? ""));
  return isTls
    ? new TlsError(`${address} uses TLS: its address must begin with https://.`)
    : undefined;
}

async function shakeHands(
  { address, tls }: HandshakeOptions,
  { rejectUnauthorized = true } = {},
): Promise<Outcome> {
  const name = address.startsWith(securePrefix) ? address.slice(securePrefix.length) : address;
  const { hostname, port } = new URL(`http://${name}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({
    host,
    port: Number(port || 80),
    ALPNProtocols: ["h2"],
    rejectUnauthorized,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(tls === undefined ? {} : { secureContext: tls.current.secureContext }),
  });
  try {
    return await outcomeOf(socket);
  } finally {
    socket.destroy();
  }
}

// A server that accepts its client sends the first frame of HTTP/2. With TLS 1.3 it verifies the
// client's certificate after the handshake has ended for the client.
async function outcomeOf(socket: TLSSocket): Promise<Outcome> {
  return await new Promise((resolve) => {
    let isSecure = false;
    socket.setTimeout(patienceMs, () => resolve("unknown"));
    socket.once("secureConnect", () => (isSecure = true));
    socket.once("data", () => resolve("accepted"));
    socket.on("error", (failure: TlsFailure) => {
      resolve(isSecure && failure.code === "ECONNRESET" ? "closed" : { failure });
    });
    socket.once("close", () => resolve(isSecure ? "closed" : "unknown"));
  });
}

/** Whether it is a failure of TLS. Codes of the network and of names, as ECONNREFUSED or EAI_AGAIN, may be temporary. */
function isFinal({ code }: TlsFailure): boolean {
  return code !== undefined && !/^E(?:AI_)?[A-Z0-9]+$/.test(code);
}

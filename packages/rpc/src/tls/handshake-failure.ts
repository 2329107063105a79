import { isIP } from "node:net";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";
import type { TLSSocket } from "node:tls";
import type { TlsCredentials } from "./open-tls-credentials.ts";
import { TlsError } from "./tls-material.ts";

/** A port that speaks HTTP/2 and what is used with it. */
export interface HandshakeOptions {
  /** As of `createGrpcTransport`. */
  address: string;
  tls?: TlsCredentials | undefined;
}

/** Longest that a server is listened to, in milliseconds. */
const patienceMs = 2000;

/** Time in which a server that is ending has closed its port, in milliseconds. */
const endingMs = 500;

const securePrefix = "https://";

/** A failed handshake, by OpenSSL and Node; `reason` is without positions in the sources. */
interface TlsFailure extends Error {
  code?: string;
  reason?: string;
}

type Outcome = "taken" | "closed" | "unknown" | { failure: TlsFailure };

/**
 * Why no call can reach a server, whenever it is tried: certificates that one side does not accept, or
 * TLS that only one of them speaks. Undefined when the server takes the caller, and when it is
 * unavailable or silent: that may pass. The gRPC client has at most words for the difference.
 */
export async function handshakeFailure(options: HandshakeOptions): Promise<TlsError | undefined> {
  const isSecure = options.address.startsWith(securePrefix);
  if (!isSecure) return await plainFailure(options.address);
  let outcome = await shakeHands(options);
  if (outcome === "closed") {
    // A certificate of a foreign authority is refused without a word; so leaves a server that ends.
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
    outcome === "taken" ||
    outcome === "closed" ||
    (outcome !== "unknown" && /_ALERT_/.test(outcome.failure.code ?? ""));
  return isTls
    ? new TlsError(`${address} speaks TLS: its address must begin with https://.`)
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

// A server that takes its caller says so by the first frame of HTTP/2. With TLS 1.3 it looks at the
// caller's certificate when the handshake is over for the caller.
async function outcomeOf(socket: TLSSocket): Promise<Outcome> {
  return await new Promise((resolve) => {
    let isSecure = false;
    socket.setTimeout(patienceMs, () => resolve("unknown"));
    socket.once("secureConnect", () => (isSecure = true));
    socket.once("data", () => resolve("taken"));
    socket.on("error", (failure: TlsFailure) => {
      resolve(isSecure && failure.code === "ECONNRESET" ? "closed" : { failure });
    });
    socket.once("close", () => resolve(isSecure ? "closed" : "unknown"));
  });
}

/** Whether it is about TLS. Codes of the network and of names, as ECONNREFUSED or EAI_AGAIN, may pass. */
function isFinal({ code }: TlsFailure): boolean {
  return code !== undefined && !/^E(?:AI_)?[A-Z0-9]+$/.test(code);
}

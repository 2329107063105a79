import type { TlsCredentials } from "../tls/open-tls-credentials.ts";
import { TlsError } from "../tls/open-tls-credentials.ts";
import type { ClosableTransport } from "./closable-transport.ts";

/** A transport whose calls carry a token as `authorization: Bearer <token>`, if there is one. */
export function withToken(
  transport: ClosableTransport,
  token: string | undefined,
): ClosableTransport {
  if (token === undefined) return transport;
  const authorized = (header: ConstructorParameters<typeof Headers>[0]): Headers => {
    const headers = new Headers(header);
    headers.set("authorization", `Bearer ${token}`);
    return headers;
  };
  return {
    unary: (method, signal, timeoutMs, header, ...call) =>
      transport.unary(method, signal, timeoutMs, authorized(header), ...call),
    stream: (method, signal, timeoutMs, header, ...call) =>
      transport.stream(method, signal, timeoutMs, authorized(header), ...call),
    close: () => transport.close(),
  };
}

/**
 * Prevents a token in clear text where TLS is used at all: with a forgotten `https://` the first call
 * would disclose it.
 *
 * @throws TlsError
 */
export function requireEncryption(
  address: string,
  { token, tls }: { token?: string | undefined; tls?: TlsCredentials | undefined },
): void {
  if (token === undefined || tls === undefined || address.startsWith("https://")) return;
  throw new TlsError(
    `The token would travel in clear to ${address}: where TLS is used, the address must begin with https://.`,
  );
}

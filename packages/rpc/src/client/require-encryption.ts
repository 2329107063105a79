import type { TlsCredentials } from "../tls/open-tls-credentials.ts";
import { TlsError } from "../tls/tls-error.ts";

/**
 * Keeps a token from travelling in clear where TLS is used at all: a forgotten `https://` would
 * otherwise give it away with the first call, whatever the service answers.
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

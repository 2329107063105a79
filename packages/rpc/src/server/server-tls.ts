import type { TlsCredentials } from "../tls/open-tls-credentials.ts";
import { TlsError } from "../tls/tls-material.ts";

/**
 * Whether callers have to show a certificate: `none` does not ask, `request` asks and takes
 * everybody, `require` takes RPCs of those only whose certificate is signed by the authorities.
 */
export type ClientAuth = "none" | "request" | "require";

/** How a server's ports speak TLS. */
export interface ServerTls {
  /** With a certificate and a key; the caller closes them, after the server. */
  credentials: TlsCredentials;
  /** Default `none`. */
  clientAuth?: ClientAuth | undefined;
}

/** Makes sure that a server has what it shows and what it checks by. @throws TlsError */
export function checkServerTls({ credentials, clientAuth = "none" }: ServerTls): void {
  const { cert, key, ca } = credentials.current;
  if (cert === undefined || key === undefined) {
    throw new TlsError("A server that speaks TLS needs a certificate and its private key.");
  }
  // Without authorities of its own it would trust every certificate that the public ones have signed.
  if (clientAuth !== "none" && ca === undefined) {
    throw new TlsError("A server that asks for client certificates needs a file of authorities.");
  }
}

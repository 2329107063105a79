import { buildConnector } from "undici";
import type { TlsCredentials } from "../tls/open-tls-credentials.ts";
import type { TlsMaterial } from "../tls/tls-material.ts";
import { unreachable } from "./connect-error-of.ts";

/**
 * Opens connections of an undici pool, each with the certificates of its time.
 *
 * @param credentials default: nothing to show, and the authorities of Node to trust
 */
export function createTlsConnector(
  credentials: TlsCredentials | undefined,
  timeoutMs: number,
): buildConnector.connector {
  // A connector keeps TLS sessions; those of other certificates go with it.
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

import { lookup as lookupName } from "node:dns";
import type { LookupAddress } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import type { AddressGuard } from "../domain/address-guard.ts";
import { hostOf } from "../domain/webhook-url.ts";

/** How long an endpoint may take to respond, in milliseconds. */
const responseTimeoutMs = 10_000;

/** Bytes that are read of a response, so that its connection can be reused; the rest is cut off. */
const responseBytesMax = 64 * 1024;

/** The address is not public, or the connection is not encrypted. */
class RefusedAddressError extends Error {}

/** The status of the response, or why there is none. */
export type SendResult = { status: number } | { status: undefined; reason: string };

/** Posts webhooks to permitted addresses. Redirects are not followed. */
export class WebhookClient {
  readonly #guard: AddressGuard;
  readonly #agents = {
    "http:": new http.Agent({ keepAlive: true, timeout: responseTimeoutMs }),
    "https:": new https.Agent({ keepAlive: true, timeout: responseTimeoutMs }),
  };

  constructor(guard: AddressGuard) {
    this.#guard = guard;
  }

  /** @param signal ends the request. Does not reject. */
  async post(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<SendResult> {
    try {
      const url = new URL(address);
      const host = hostOf(url);
      // No lookup is made for an address.
      if (isIP(host) !== 0 && !this.#guard.permits(host, url.protocol)) throw refused(host);
      return { status: await this.#post(url, headers, body, signal) };
    } catch (error) {
      return { status: undefined, reason: error instanceof Error ? error.message : String(error) };
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const isSecure = url.protocol === "https:";
    const request = (isSecure ? https : http).request(url, {
      method: "POST",
      agent: this.#agents[isSecure ? "https:" : "http:"],
      lookup: this.#lookupFor(url.protocol),
      headers: { ...headers, "content-type": "application/json", "user-agent": "storefront" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]),
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > responseBytesMax) response.destroy();
      });
      // The status is known; a fault of the rest does not matter.
      response.on("error", () => undefined);
      resolve(response.statusCode ?? 0);
    });
    request.end(body);
    return await promise;
  }

  /** Resolves names to permitted addresses only, so that the connected address is the checked one. */
  #lookupFor(protocol: string): LookupFunction {
    return (hostname, options, callback) => {
      lookupName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        if (error !== null) return callback(error, []);
        const permitted = addresses.filter(({ address }) => this.#guard.permits(address, protocol));
        const [first] = permitted;
        if (first === undefined) return callback(refused(hostname), []);
        return options.all === true
          ? callback(null, permitted)
          : callback(null, first.address, first.family);
      });
    };
  }
}

function refused(host: string): RefusedAddressError {
  return new RefusedAddressError(
    `${host} must have a public address, by https, or be in WEBHOOK_ALLOWED_NETWORKS`,
  );
}

import type { UniversalClientFn, UniversalClientResponse } from "@connectrpc/connect/protocol";
import { Readable } from "node:stream";
import type { Pool } from "undici";
import { toHeaders } from "../to-headers.ts";
import { connectErrorOf } from "./connect-error-of.ts";

/** Connect's minimal HTTP client over an undici pool; used for everything but plain unary calls. */
export function createUndiciHttpClient(pool: Pool): UniversalClientFn {
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

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Pool } from "undici";
import type { Answer } from "@storefront/test-contract/documented-answer";
import type { HostileRequest } from "./hostile-request.ts";

/** Sends a request over one of the pool's connections; rejects when no complete response arrives in time. */
export async function sendRequest(
  pool: Pool,
  request: HostileRequest,
  timeoutMs: number,
): Promise<Answer> {
  const { method, target, headers, body = null } = request;
  const response = await pool.request({
    method,
    path: target,
    headers,
    body,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  const responseHeaders = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
  );
  return {
    status: response.statusCode,
    headers: responseHeaders,
    body: decoded(bytes, responseHeaders["content-encoding"]).toString(),
  };
}

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (coding === "br") return brotliDecompressSync(bytes);
  return coding === "gzip" ? gunzipSync(bytes) : bytes;
}

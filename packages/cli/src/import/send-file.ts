import { Code, ConnectError } from "@connectrpc/connect";
import type { TlsCredentials } from "@storefront/rpc";
import { once } from "node:events";
import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { parseJson } from "../stack/data-directory.ts";
import { UserError } from "../user-error.ts";
import type { SourceFile } from "./open-source.ts";
import { readLines } from "./read-lines.ts";

/** Wait for the server to allow the body, in milliseconds; then the body is sent anyway. */
const continueTimeoutMs = 2000;

const zCount = z.number();

const zSummary = z.object({
  kinds: z.record(
    z.string(),
    z.object({
      read: zCount,
      written: zCount,
      unchanged: zCount,
      stale: zCount,
      rejected: zCount,
    }),
  ),
  unknownMembers: zCount,
  sentAgain: zCount.optional(),
});

/** A line of the response of ingest by HTTP. */
const zResponseLine = z.union([
  z.object({ line: z.number(), message: z.string() }),
  z.object({ summary: zSummary }),
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      line: z.number().default(1),
      summary: zSummary,
    }),
  }),
]);

/** Where files are sent. */
export interface IngestOrigin {
  /** Base URL, without a slash at the end. */
  url: string;
  token: string;
  tls: TlsCredentials | undefined;
}

/** A request whose body may be sent. */
export interface OpenUpload {
  /** Sends a file, and yields the lines of the response as they arrive. */
  send(
    file: SourceFile,
    onBytes: (sizeBytes: number) => void,
  ): AsyncGenerator<z.output<typeof zResponseLine>>;
}

/**
 * Opens an upload, without its body.
 *
 * @throws ConnectError when it may succeed later; its metadata has the `Retry-After`
 * @throws UserError when it is rejected permanently
 */
export async function openUpload({ url, token, tls }: IngestOrigin): Promise<OpenUpload> {
  const { ca, cert, key } = tls?.current ?? {};
  const open = url.startsWith("https:") ? requestHttps : requestHttp;
  const request = open(`${url}/ingest`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, expect: "100-continue" },
    agent: false,
    ca,
    cert,
    key,
  });
  request.flushHeaders();
  const responding = once(request, "response").then(([response]) => response as IncomingMessage);
  const early = await Promise.race([
    responding,
    once(request, "continue").then(() => undefined),
    sleep(continueTimeoutMs, undefined, { ref: false }),
  ]).catch((error: unknown) => {
    throw ConnectError.from(error, Code.Unavailable);
  });
  if (early !== undefined) await requireOk(url, early);
  return {
    async *send(file, onBytes) {
      const sending = pipeline(counted(file.open(), onBytes), request);
      // The response then fails too, or has the reason.
      sending.catch(() => undefined);
      try {
        const response = await responding;
        await requireOk(url, response);
        for await (const lines of readLines(response)) {
          for (const line of lines) {
            if ("problem" in line) throw new Error(`a line of the response: ${line.problem}`);
            yield zResponseLine.parse(JSON.parse(line.text));
          }
        }
      } finally {
        request.destroy();
      }
    },
  };
}

async function* counted(
  bytes: AsyncIterable<Buffer>,
  onBytes: (sizeBytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    onBytes(piece.length);
    yield piece;
  }
}

async function requireOk(url: string, response: IncomingMessage): Promise<void> {
  const { statusCode = 0, headers } = response;
  if (statusCode === 200) return;
  const message = `${url} responded with ${statusCode}: ${messageIn(await text(response))}`;
  if (statusCode !== 429 && statusCode < 500) throw new UserError(message);
  throw new ConnectError(message, Code.Unavailable, {
    "retry-after": headers["retry-after"] ?? "",
  });
}

const zError = z.object({ error: z.object({ message: z.string() }) });

function messageIn(body: string): string {
  return parseJson(body, zError)?.error.message ?? body.slice(0, 200);
}

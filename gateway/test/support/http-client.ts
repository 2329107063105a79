import { Agent, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { OperationMeta } from "../../src/operations/operation.ts";
import { operationsOf } from "../../src/operations/operations-of.ts";
import { operationEndpoints } from "../../src/rest/operation-endpoints.ts";
import { createRouteTable } from "../../src/http/route-table.ts";
import { parseTarget } from "../../src/http/target.ts";
import { createAdminAccess } from "../../src/protection/admin-access.ts";
import { appRouter } from "../../src/operations/router.ts";
import { checkDocument } from "./check-document.ts";

/** A response, its body decoded. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Bytes on the wire. */
  bytes: Buffer;
  text: string;
  /** The body as JSON; undefined without a body, and for another type. */
  json: unknown;
}

/** The options of a request. */
export interface AskOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Aborts the request, which then rejects. */
  signal?: AbortSignal;
}

/** A POST with a JSON body. */
export function post(body: unknown): AskOptions {
  return postText(JSON.stringify(body));
}

/** As {@link post}, with any text as its body. */
export function postText(body: string): AskOptions {
  return { method: "POST", headers: { "content-type": "application/json" }, body };
}

const matchRoute = createRouteTable(operationEndpoints(appRouter, createAdminAccess([""])));
const operations = operationsOf(appRouter);

/** The operation that responds; undefined for another path, also a malformed one. */
function operationAt(url: string, method: string): OperationMeta | undefined {
  if (!isDecodable(url)) return undefined;
  const path = matchRoute(parseTarget(url).segments)?.route.endpoints.get(method)?.path;
  return operations.find((operation) => operation.path === path && operation.method === method);
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** Throws unless the response is what the contract documents for its path and status. */
function checkContract(url: string, asked: string, { status, json }: HttpResponse): void {
  if (json === undefined) return;
  const method = asked === "HEAD" ? "GET" : asked;
  const operation = operationAt(url, method);
  if (operation !== undefined) checkDocument(operation.path, method, status, json);
  if (status === 200 || status === 201 || status === 202) {
    if (operation === undefined) return;
    // Members that the schema does not know are dropped by parsing, and so make a difference.
    const parsed = operation.output.parse(json);
    if (!isDeepStrictEqual(parsed, json)) throw new Error(`undocumented members: ${url}`);
    return;
  }
  const { message, error } = Object(json) as { message?: unknown; error?: unknown };
  const isError = typeof message === "string" && /^[A-Z_]+$/.test(String(error));
  if (!isError) throw new Error(`not an error body: ${JSON.stringify(json)}`);
}

/** Sends a request over a connection of its own, and checks the response against the contract. */
export async function ask(
  baseUrl: string,
  url: string,
  { method = "GET", headers = {}, body, signal }: AskOptions = {},
): Promise<HttpResponse> {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: false });
  const received = await new Promise<HttpResponse>((resolve, reject) => {
    const options = { hostname, port, path: url, method, headers, agent, signal };
    const sent = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const text = decoded(bytes, response.headers["content-encoding"]);
        const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
        const json: unknown = text === "" || !isJson ? undefined : JSON.parse(text);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, json });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
  if (!url.startsWith("/trpc")) checkContract(url, method, received);
  return received;
}

function decoded(bytes: Buffer, coding: string | undefined): string {
  if (bytes.length === 0) return "";
  if (coding === "br") return brotliDecompressSync(bytes).toString();
  return coding === "gzip" ? gunzipSync(bytes).toString() : bytes.toString();
}

/** Sends bytes to a socket and returns everything received until the server closes it. */
export async function askRaw(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return await new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    // Bytes after the refused ones fail on the closed connection, but the response has arrived.
    socket.on("error", (error) => {
      if (chunks.length === 0) reject(error);
    });
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}

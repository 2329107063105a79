import type { AnyTRPCRouter } from "@trpc/server";
import type { Question } from "../cache/question.ts";
import { badRequest, forbidden, publicErrorOf } from "../errors/public-error.ts";
import type { Exchange } from "../http/exchange.ts";
import { readJsonBody } from "../http/json-body.ts";
import { send, sendAllowedMethods, sendError } from "../http/send.ts";
import type { Target } from "../http/target.ts";
import type { FindOutput, OperationMeta } from "../operations/operation.ts";
import { operationsOf } from "../operations/operations-of.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { CallOperation, ToolResult } from "./create-mcp-server.ts";

export interface McpDependencies {
  /** Of the product. */
  version: string;
  router: AnyTRPCRouter;
  createContext: (exchange: Exchange) => RequestContext;
  /** Finds responses in the cache of REST; undefined without a cache. */
  findOutputFor: ((exchange: Exchange, ctx: RequestContext) => FindOutput) | undefined;
  /** Pages of these origins may call. */
  corsOrigins: readonly string[];
  bodyLimitBytes: number;
}

const allow = "POST, OPTIONS";

/**
 * The Model Context Protocol at `/mcp`, without sessions, so that any gateway can take the next request. The library
 * is loaded with the first request; few gateways get one.
 *
 * @returns a function that responds if the request is for this path, and returns whether it is
 */
export function createMcp(
  dependencies: McpDependencies,
): (exchange: Exchange, target: Target, headers: readonly string[]) => boolean {
  const trusted = new Set(dependencies.corsOrigins);
  const operations = new Map(
    operationsOf(dependencies.router).map((meta) => [meta.operationId, meta]),
  );

  async function respond(exchange: Exchange, headers: readonly string[]): Promise<void> {
    const { request } = exchange;
    const { origin, host } = request.headers;
    if (isForeignOrigin(origin, host, trusted)) {
      throw forbidden("This origin is not allowed.");
    }
    const parsedBody = await readJsonBody(request, dependencies.bodyLimitBytes);
    // Limits count requests, and the protocol has no batches any more.
    if (Array.isArray(parsedBody)) throw badRequest("The body must be one message, not a list.");
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./create-mcp-server.ts"),
    ]);
    let defect: { readonly error: unknown } | undefined;
    const call: CallOperation = async (meta, question) => {
      try {
        return await callOperation(dependencies, exchange, meta, question);
      } catch (error) {
        const { status } = publicErrorOf(error);
        if (status === 500) defect = { error };
        else if (status > 500) exchange.failure ??= error;
        throw error;
      }
    };
    const handler = createMcpHandler(
      () => createMcpServer(dependencies.version, operations, call),
      // The tools never change, so there is nothing to listen to.
      { maxSubscriptions: 0 },
    );
    const result = await handler.fetch(
      new Request("http://gateway/mcp", {
        method: "POST",
        headers: headersOf(exchange),
        signal: exchange.client.signal,
      }),
      { parsedBody },
    );
    const body = Buffer.from(await result.arrayBuffer());
    // A failed tool has a result; a defect is sent and logged as REST's are.
    if (defect !== undefined) throw defect.error;
    const type = result.headers.get("content-type");
    const own = ["Cache-Control", "no-store", "Content-Length", String(body.length)];
    if (type !== null) own.push("Content-Type", type);
    send(exchange, result.status, [...headers, ...own], body);
  }

  return (exchange, { segments }, headers) => {
    if (segments.length !== 1 || segments[0] !== "mcp") return false;
    exchange.operation = "mcp";
    if (exchange.request.method === "POST") {
      respond(exchange, headers).catch((error: unknown) => sendError(exchange, error, headers));
    } else {
      sendAllowedMethods(exchange, allow, headers);
    }
    return true;
  };
}

/** Calls with the request's deadline, until the client leaves. */
async function callOperation(
  { createContext, findOutputFor }: McpDependencies,
  exchange: Exchange,
  { isCached, operationId }: OperationMeta,
  question: Question,
): Promise<ToolResult> {
  const ctx = createContext(exchange);
  const find = findOutputFor?.(exchange, ctx);
  const output: unknown =
    find === undefined || !isCached
      ? JSON.parse((await question.respond(ctx)).body.toString())
      : await find(operationId, question);
  // Outputs of the tools' operations are objects.
  return { result: output as object, degraded: ctx.degraded };
}

function headersOf({ request }: Exchange): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    if (value !== undefined) headers.set(name, value.join(", "));
  }
  return headers;
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a request comes from a web page that is not trusted. Agents name no origin. Listed origins are trusted, and
 * pages of this machine that call this machine. `Origin` and `Host` may be equal by the attacker's DNS, which
 * proves nothing.
 */
function isForeignOrigin(
  origin: string | undefined,
  host: string | undefined,
  trusted: ReadonlySet<string>,
): boolean {
  if (origin === undefined || trusted.has(origin)) return false;
  return !(loopback.has(hostnameOf(origin)) && loopback.has(hostnameOf(`http://${host}`)));
}

function hostnameOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}

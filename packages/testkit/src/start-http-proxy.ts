import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What happens to a request: the connection is cut, no response comes, or another one. */
export type HttpFault = "cut" | "stalled" | { readonly status: number; readonly body?: string };

/** A request that is about to be passed on. */
export interface ProxiedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Of the body, as the header says; 0 without it. */
  readonly bytes: number;
  readonly headers: IncomingHttpHeaders;
}

/** A network between an HTTP client and a server that has faults. */
export interface HttpProxy {
  readonly url: string;
  /** Asked before each request is passed on; undefined passes it on. */
  faultOf: (request: ProxiedRequest) => HttpFault | undefined | Promise<HttpFault | undefined>;
  /** Passes nothing more of the responses in progress to requests for this path, which stay open. */
  stall(path: string): void;
  /** Passes on what was held back since, and what follows it. */
  unstall(): void;
  /** Refuses and breaks connections until `listen` is called. */
  refuse(): Promise<void>;
  /** Listens again, at the same address. */
  listen(): Promise<void>;
  stop(): Promise<void>;
}

/** Passes HTTP requests on from a loopback port to another server. */
export async function startHttpProxy(target: string): Promise<HttpProxy> {
  const underWay = new Map<ServerResponse, { path: string; answer: IncomingMessage }>();
  const server = createServer((request, response) => void pass(request, response));
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "GET", url: path = "/", headers } = request;
    const fault = await proxy.faultOf({
      method,
      path,
      bytes: Number(headers["content-length"] ?? 0),
      headers,
    });
    if (response.destroyed) return;
    if (fault === "cut") request.destroy();
    else if (fault === undefined) {
      const inner = send(target + path, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        underWay.set(response, { path, answer });
        response.on("close", () => underWay.delete(response));
      });
      inner.on("error", () => request.destroy());
      response.on("close", () => inner.destroy());
      request.pipe(inner);
    } else if (fault !== "stalled") {
      response.writeHead(fault.status, { "content-type": "application/json" });
      response.end(fault.body ?? "{}");
    }
  };
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const refuse = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const port = await listen(0);
  const proxy: HttpProxy = {
    url: `http://127.0.0.1:${port}`,
    faultOf: () => undefined,
    stall(stalledPath) {
      for (const { path, answer } of underWay.values()) {
        if (path === stalledPath) answer.unpipe().pause();
      }
    },
    unstall() {
      for (const [response, { answer }] of underWay) answer.unpipe().pipe(response);
    },
    refuse,
    async listen() {
      if (!server.listening) await listen(port);
    },
    stop: refuse,
  };
  return proxy;
}

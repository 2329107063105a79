import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Fault of a request: the connection is cut, no response comes, or another response. */
export type HttpFault = "cut" | "stalled" | { readonly status: number; readonly body?: string };

/** A request to be forwarded. */
export interface ProxiedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Of the body, as the header says; 0 without it. */
  readonly bytes: number;
  readonly headers: IncomingHttpHeaders;
}

/** A proxy between an HTTP client and a server that injects faults. */
export interface HttpProxy {
  readonly url: string;
  /** Called before each request is forwarded; undefined forwards it. */
  faultOf: (request: ProxiedRequest) => HttpFault | undefined | Promise<HttpFault | undefined>;
  /** Stalls the responses in progress to requests for this path; they stay open. */
  stall(path: string): void;
  /** Resumes stalled responses. */
  unstall(): void;
  /** Refuses and breaks connections until `listen` is called. */
  refuse(): Promise<void>;
  /** Listens again, at the same address. */
  listen(): Promise<void>;
  stop(): Promise<void>;
}

/** Forwards HTTP requests from a loopback port to another server. */
export async function startHttpProxy(target: string): Promise<HttpProxy> {
  const inProgress = new Map<ServerResponse, { path: string; forwarded: IncomingMessage }>();
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
      const inner = send(target + path, { method, headers }, (forwarded) => {
        response.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
        forwarded.pipe(response);
        inProgress.set(response, { path, forwarded });
        response.on("close", () => inProgress.delete(response));
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
      for (const { path, forwarded } of inProgress.values()) {
        if (path === stalledPath) forwarded.unpipe().pause();
      }
    },
    unstall() {
      for (const [response, { forwarded }] of inProgress) forwarded.unpipe().pipe(response);
    },
    refuse,
    async listen() {
      if (!server.listening) await listen(port);
    },
    stop: refuse,
  };
  return proxy;
}

import type { Exchange } from "../http/exchange.ts";
import { send, sendAllowedMethods, sendRepresentation } from "../http/send.ts";
import { parseTarget } from "../http/target.ts";
import { withPagePolicy } from "../protection/security-headers.ts";
import { chosenPage } from "./load-pages.ts";
import type { PageFile, Pages } from "./load-pages.ts";

/** Where the pages are. */
const pagesPath = "/explorer/";

// Scripts, styles and calls only from here; pictures from wherever the catalogue has them.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const allow = "GET, HEAD, OPTIONS";

/**
 * Answers what is below `/explorer/` from the pages, and leads a browser that asks for `/` there. A
 * path without a file is an address inside the page, which finds its own way from `index.html`.
 *
 * @returns whether the exchange was answered
 */
export function answerPage(pages: Pages, exchange: Exchange, headers: readonly string[]): boolean {
  const { request } = exchange;
  const { path, segments, query } = parseTarget(exchange.url);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isStart = path === "/" && (!isRead || acceptsPages(request.headers.accept));
  if (!isStart && segments[0] !== "explorer") return false;
  exchange.operation = "explorer";
  const file = isStart ? undefined : findPage(pages, segments.slice(1));
  if (!isStart && file === undefined) return false;
  if (!isRead) {
    sendAllowedMethods(exchange, allow, headers);
  } else if (file === undefined) {
    send(exchange, 302, [...headers, "Vary", "Accept", ...redirection(pagesPath)]);
  } else if (segments.length === 1) {
    const location = query === "" ? pagesPath : `${pagesPath}?${query}`;
    send(exchange, 308, [...headers, ...redirection(location)]);
  } else {
    const page = chosenPage(file, request.headers["accept-encoding"]);
    sendRepresentation(exchange, page, withPagePolicy(headers, contentSecurityPolicy));
  }
  return true;
}

function acceptsPages(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes("text/html") ?? false;
}

function findPage(pages: Pages, segments: readonly string[]): PageFile | undefined {
  const file = pages.get(segments.join("/"));
  // A file that is gone must not be answered by a page: scripts of an earlier build, for one.
  if (file !== undefined || segments[0] === "assets") return file;
  return pages.get("index.html");
}

const redirection = (location: string) => {
  return ["Location", location, "Cache-Control", "no-cache", "Content-Length", "0"];
};

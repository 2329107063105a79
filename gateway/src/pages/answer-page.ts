import { methodNotAllowed } from "../errors/public-error.ts";
import type { Exchange } from "../http/exchange.ts";
import { sendError } from "../http/send.ts";
import { parseTarget } from "../http/target.ts";
import { withPagePolicy } from "../protection/security-headers.ts";
import type { PageFile, Pages } from "./load-pages.ts";
import { sendPage } from "./send-page.ts";

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
  if (path === "/" && isRead && acceptsPages(request.headers.accept)) {
    exchange.operation = "explorer";
    redirect(exchange, 302, pagesPath, [...headers, "Vary", "Accept"]);
    return true;
  }
  if (segments[0] !== "explorer") return false;
  exchange.operation = "explorer";
  if (!isRead) {
    sendError(exchange, methodNotAllowed(allow), [...headers, "Allow", allow]);
    return true;
  }
  if (segments.length === 1) {
    redirect(exchange, 308, query === "" ? pagesPath : `${pagesPath}?${query}`, headers);
    return true;
  }
  const file = findPage(pages, segments.slice(1));
  if (file === undefined) return false;
  sendPage(exchange, file, withPagePolicy(headers, contentSecurityPolicy));
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

function redirect(
  { response }: Exchange,
  status: number,
  location: string,
  headers: readonly string[],
): void {
  const own = ["Location", location, "Cache-Control", "no-cache", "Content-Length", "0"];
  response.writeHead(status, [...headers, ...own]).end();
}

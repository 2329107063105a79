import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import type { Exchange } from "../http/exchange.ts";
import type { Representations } from "../http/representations.ts";
import { send, sendAllowedMethods } from "../http/send.ts";
import type { Target } from "../http/target.ts";
import { pageFile, redirection, sendPageFile } from "./page-file.ts";

const pagesPath = "/explorer/";

/** Scripts, styles and calls only from here; pictures from any host that the catalogue names. */
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

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/**
 * Serves the built pages of a directory below `/explorer/`, from memory: they take a few hundred kilobytes. A path
 * without a file is an address inside the page and gets `index.html`; a browser that requests `/` is redirected there.
 *
 * @returns a function that responds if the request is for a page, and returns whether it is
 * @throws Error of the file system when the directory cannot be read
 */
export function createPages(
  directory: string,
): (exchange: Exchange, target: Target, headers: readonly string[]) => boolean {
  const files = loadFiles(directory);

  const find = (segments: readonly string[]) => {
    const file = files.get(segments.join("/"));
    // A missing asset, such as a script of an earlier build, is no address inside the page.
    return file !== undefined || segments[0] === "assets" ? file : files.get("index.html");
  };

  return (exchange, { path, segments, query }, headers) => {
    const { method, headers: requested } = exchange.request;
    const isRead = method === "GET" || method === "HEAD";
    const acceptsPages = requested.accept?.toLowerCase().includes("text/html") ?? false;
    const isStart = path === "/" && (!isRead || acceptsPages);
    if (!isStart && segments[0] !== "explorer") return false;
    exchange.operation = "explorer";
    const file = isStart ? undefined : find(segments.slice(1));
    if (!isStart && file === undefined) return false;
    if (!isRead) {
      sendAllowedMethods(exchange, "GET, HEAD, OPTIONS", headers);
    } else if (file === undefined) {
      send(exchange, 302, [...headers, "Vary", "Accept", ...redirection(pagesPath)]);
    } else if (segments.length === 1) {
      const location = query === "" ? pagesPath : `${pagesPath}?${query}`;
      send(exchange, 308, [...headers, ...redirection(location)]);
    } else {
      sendPageFile(exchange, Promise.resolve(file), headers, contentSecurityPolicy);
    }
    return true;
  };
}

/** The files by path below the directory, with slashes, such as `assets/index-BqX2.js`. */
function loadFiles(directory: string): ReadonlyMap<string, Representations> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in contentTypes)
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return new Map(names.map((name) => [name, loadFile(directory, name)]));
}

/** A file, and its compressed forms if they exist as `x.js.br` and `x.js.gz` beside `x.js`. */
function loadFile(directory: string, name: string): Representations {
  const path = join(directory, name);
  const contentType = contentTypes[extname(path)] ?? "application/octet-stream";
  const br = readIfPresent(`${path}.br`);
  const gzip = readIfPresent(`${path}.gz`);
  // Names in the bundler's folder of assets have a digest.
  return pageFile(readFileSync(path), contentType, name.startsWith("assets/"), {
    ...(br && { br }),
    ...(gzip && { gzip }),
  });
}

function readIfPresent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

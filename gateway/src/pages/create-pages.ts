import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { bodyDigestOf } from "../http/conditions.ts";
import { chooseCoding } from "../http/content-coding.ts";
import type { ContentCoding } from "../http/content-coding.ts";
import type { Exchange } from "../http/exchange.ts";
import { representationOf } from "../http/representations.ts";
import type { Representation } from "../http/representations.ts";
import { send, sendAllowedMethods, sendRepresentation } from "../http/send.ts";
import { parseTarget } from "../http/target.ts";
import { withPagePolicy } from "../protection/security-headers.ts";

/** A file of the pages in the codings that make it smaller. */
type PageFile = Partial<Record<ContentCoding, Representation>> & Record<"identity", Representation>;

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

const compressedTypes = new Set([".css", ".html", ".js", ".json", ".svg", ".txt"]);

// As for each response, for directories that were built without compressed files.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * Serves the built pages of a directory below `/explorer/`, from memory: they take a few hundred kilobytes. A path
 * without a file is an address inside the page and gets `index.html`; a browser that requests `/` is redirected there.
 *
 * @returns a function that responds if the request is for a page, and returns whether it is
 * @throws Error of the file system when the directory cannot be read
 */
export function createPages(
  directory: string,
): (exchange: Exchange, headers: readonly string[]) => boolean {
  const files = loadFiles(directory);

  const find = (segments: readonly string[]) => {
    const file = files.get(segments.join("/"));
    // A missing asset, such as a script of an earlier build, is no address inside the page.
    return file !== undefined || segments[0] === "assets" ? file : files.get("index.html");
  };

  return (exchange, headers) => {
    const { method, headers: requested } = exchange.request;
    const { path, segments, query } = parseTarget(exchange.url);
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
      const coding = chooseCoding(requested["accept-encoding"], file.identity.body.length);
      const ofPage = withPagePolicy(headers, contentSecurityPolicy);
      sendRepresentation(exchange, file[coding] ?? file.identity, ofPage);
    }
    return true;
  };
}

const redirection = (location: string) => {
  return ["Location", location, "Cache-Control", "no-cache", "Content-Length", "0"];
};

/**
 * Headers of a file.
 *
 * @param isImmutable whether its name changes with its content, so that it may be cached for ever
 */
export function fileHeaders(isImmutable: boolean): string[] {
  const cacheControl = isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
  return ["Cache-Control", cacheControl, "Vary", "Accept-Encoding"];
}

/** The files by path below the directory, with slashes, such as `assets/index-BqX2.js`. */
function loadFiles(directory: string): ReadonlyMap<string, PageFile> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in contentTypes)
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return new Map(names.map((name) => [name, loadFile(directory, name)]));
}

/** A file and its compressed forms: `x.js.br` and `x.js.gz` beside `x.js` if they exist, otherwise made here. */
function loadFile(directory: string, name: string): PageFile {
  const path = join(directory, name);
  const extension = extname(path);
  const body = readFileSync(path);
  const parts = {
    digest: bodyDigestOf(body),
    contentType: contentTypes[extension] ?? "application/octet-stream",
    // The bundler's folder of files with a digest in their names.
    headers: fileHeaders(name.startsWith("assets/")),
  };
  const file: PageFile = { identity: representationOf({ body, coding: "identity", ...parts }) };
  if (!compressedTypes.has(extension)) return file;
  const br = readIfPresent(`${path}.br`) ?? brotliCompressSync(body, brotliOptions);
  const gzip = readIfPresent(`${path}.gz`) ?? gzipSync(body);
  if (br.length < body.length) file.br = representationOf({ body: br, coding: "br", ...parts });
  if (gzip.length < body.length) {
    file.gzip = representationOf({ body: gzip, coding: "gzip", ...parts });
  }
  return file;
}

function readIfPresent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

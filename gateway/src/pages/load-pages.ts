import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { ContentCoding } from "../http/content-coding.ts";
import { entityTagOf } from "../http/entity-tag.ts";

/** A file as it is sent in one coding. */
export interface CodedFile {
  body: Buffer;
  entityTag: string;
}

/** A file of the pages, ready to be sent. */
export interface PageFile {
  contentType: string;
  /** Whether its name changes with its content, so that it may be kept for ever. */
  isImmutable: boolean;
  /** Always has `identity`; the others only where they are smaller. */
  codings: ReadonlyMap<ContentCoding, CodedFile>;
}

/** The files by path below the directory, with slashes, such as `assets/index-BqX2.js`. */
export type Pages = ReadonlyMap<string, PageFile>;

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

const textTypes = new Set([".css", ".html", ".js", ".json", ".svg", ".txt"]);

/**
 * Reads a directory of built pages into memory, where a few hundred kilobytes are never in the way.
 * Beside `x.js` there may be `x.js.br` and `x.js.gz`; what is missing of them is made here.
 *
 * @throws Error of the file system when the directory cannot be read
 */
export function loadPages(directory: string): Pages {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in contentTypes)
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return new Map(names.map((name) => [name, loadFile(directory, name)]));
}

function loadFile(directory: string, name: string): PageFile {
  const path = join(directory, name);
  const extension = extname(path);
  const body = readFileSync(path);
  const bodies: [ContentCoding, Buffer][] = [["identity", body]];
  if (textTypes.has(extension)) {
    const br = readIfPresent(`${path}.br`) ?? brotliCompressSync(body, brotliOptions);
    const gzip = readIfPresent(`${path}.gz`) ?? gzipSync(body);
    if (br.length < body.length) bodies.push(["br", br]);
    if (gzip.length < body.length) bodies.push(["gzip", gzip]);
  }
  return {
    contentType: contentTypes[extension] ?? "application/octet-stream",
    // The bundler's folder of files that carry a digest in their names.
    isImmutable: name.startsWith("assets/"),
    codings: new Map(
      bodies.map(([coding, coded]) => [
        coding,
        { body: coded, entityTag: entityTagOf(body, coding) },
      ]),
    ),
  };
}

// As fast as it is done per answer, for directories that were not compressed when they were built.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

function readIfPresent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

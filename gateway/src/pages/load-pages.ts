import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { chooseCoding } from "../http/content-coding.ts";
import type { ContentCoding } from "../http/content-coding.ts";
import { bodyDigestOf } from "../http/conditions.ts";
import { representationOf } from "../http/representations.ts";
import type { Representation } from "../http/representations.ts";

/** A file of the pages, ready to be sent, in the codings that it is not larger in. */
export type PageFile = Partial<Record<ContentCoding, Representation>> &
  Record<"identity", Representation>;

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
 * Headers of a file.
 *
 * @param isImmutable whether its name changes with its content, so that it may be cached for ever
 */
export function fileHeaders(isImmutable: boolean): string[] {
  const cacheControl = isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
  return ["Cache-Control", cacheControl, "Vary", "Accept-Encoding"];
}

/** A file in a coding that the client accepts. */
export function chosenPage(file: PageFile, accepted: string | undefined): Representation {
  return file[chooseCoding(accepted, file.identity.body.length)] ?? file.identity;
}

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
  const common = {
    digest: bodyDigestOf(body),
    contentType: contentTypes[extension] ?? "application/octet-stream",
    // The bundler's folder of files that carry a digest in their names.
    headers: fileHeaders(name.startsWith("assets/")),
  };
  const file: PageFile = { identity: representationOf({ body, coding: "identity", ...common }) };
  if (textTypes.has(extension)) {
    const br = readIfPresent(`${path}.br`) ?? brotliCompressSync(body, brotliOptions);
    const gzip = readIfPresent(`${path}.gz`) ?? gzipSync(body);
    for (const [coding, coded] of [
      ["br", br],
      ["gzip", gzip],
    ] as const) {
      if (coded.length >= body.length) continue;
      file[coding] = representationOf({ body: coded, coding, ...common });
    }
  }
  return file;
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

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { methodNotAllowed } from "../errors/public-error.ts";
import { bodyDigestOf } from "../http/entity-tag.ts";
import type { Exchange } from "../http/exchange.ts";
import { sendError } from "../http/send.ts";
import { parseTarget } from "../http/target.ts";
import type { PageFile } from "../pages/load-pages.ts";
import { sendPage } from "../pages/send-page.ts";
import { withPagePolicy } from "../protection/security-headers.ts";
import { docsPage, docsPolicy, startScript } from "./docs-page.ts";
import { llmsText } from "./llms-text.ts";
import type { DescribedApi } from "./llms-text.ts";
import { prepareFile } from "./prepare-file.ts";
import { findReferenceFiles } from "./reference-files.ts";

const scriptType = "text/javascript; charset=utf-8";
const allow = "GET, HEAD, OPTIONS";

/**
 * The page at `/docs` that shows the OpenAPI document, with its scripts below `/docs/`, and the text
 * of it for language models at `/llms.txt`. A file is read and compressed once, when it is first asked
 * for; few gateways ever show one.
 *
 * @returns a function that answers an exchange if it asks for the page, and tells whether it did
 * @throws Error when the API reference is not installed
 */
export function createDocs(
  document: DescribedApi,
  toolNames: readonly string[],
): (exchange: Exchange, headers: readonly string[]) => boolean {
  const { directory, names, entry } = findReferenceFiles();
  // In the address, so that the scripts can be kept for ever.
  const scriptsPath = `docs/${bodyDigestOf(Buffer.concat([entry, Buffer.from(startScript)]))}/`;
  const prepared = new Map<string, Promise<PageFile>>();

  function prepare(path: string): Promise<PageFile> | undefined {
    if (path === "llms.txt") {
      const text = Buffer.from(llmsText(document, toolNames));
      return prepareFile(text, { contentType: "text/plain; charset=utf-8", isImmutable: false });
    }
    if (path === "docs") {
      const html = Buffer.from(docsPage(`/${scriptsPath}`));
      return prepareFile(html, { contentType: "text/html; charset=utf-8", isImmutable: false });
    }
    const name = path.startsWith(scriptsPath) ? path.slice(scriptsPath.length) : undefined;
    if (name === undefined) return undefined;
    const script = { contentType: scriptType, isImmutable: true };
    if (name === "start.js") return prepareFile(Buffer.from(startScript), script);
    if (!names.has(name)) return undefined;
    return readFile(join(directory, name)).then((body) => prepareFile(body, script));
  }

  function find(path: string): Promise<PageFile> | undefined {
    const known = prepared.get(path);
    if (known !== undefined) return known;
    const file = prepare(path);
    if (file !== undefined) prepared.set(path, file);
    // What failed may go well another time.
    file?.catch(() => prepared.delete(path));
    return file;
  }

  return (exchange, headers) => {
    const { segments } = parseTarget(exchange.url);
    if (segments[0] !== "docs" && segments[0] !== "llms.txt") return false;
    exchange.operation = "docs";
    const file = find(segments.join("/"));
    if (file === undefined) return false;
    const { method } = exchange.request;
    if (method === "GET" || method === "HEAD") {
      file
        .then((page) => sendPage(exchange, page, withPagePolicy(headers, docsPolicy)))
        .catch((error: unknown) => sendError(exchange, error, [...headers]));
    } else {
      sendError(exchange, methodNotAllowed(allow), [...headers, "Allow", allow]);
    }
    return true;
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bodyDigestOf } from "../http/conditions.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Representations } from "../http/representations.ts";
import type { Target } from "../http/target.ts";
import { jsonType } from "../http/headers.ts";
import { send } from "../http/send.ts";
import { pageFile, redirection, sendPageFile } from "../pages/page-file.ts";
import { descriptorSet } from "./descriptor-set.ts";
import { docsPage, docsPolicy, startScript } from "./docs-page.ts";
import { createGuides } from "./guides.ts";
import { llmsText } from "./llms-text.ts";
import type { DescribedApi } from "./llms-text.ts";

/** First segments of the paths below which these files are. */
const rootSegments: ReadonlySet<string> = new Set(["", "docs", "llms.txt"]);

/** What `/` lists. */
const addresses = {
  openapi: "/openapi.json",
  docs: "/docs",
  guides: "/docs/guides",
  llms: "/llms.txt",
  health: "/health",
  trpc: "/trpc",
  mcp: "/mcp",
};

const scriptType = "text/javascript; charset=utf-8";

/**
 * The page at `/docs` that shows the OpenAPI document, with its scripts below `/docs/`, the guides at
 * `/docs/guides`, the services' contract at `/docs/storefront.binpb`, and the text of the document for language models at `/llms.txt`; `/` lists where these are. A file is
 * read or rendered, and compressed, on its first request; few gateways get one.
 *
 * @returns a function that responds if the request is for such a file, and returns whether it is
 * @throws Error when the API reference is not installed, or a guide is missing
 */
export function createDocs(
  document: DescribedApi,
  toolNames: readonly string[],
): (exchange: Exchange, target: Target, headers: readonly string[]) => boolean {
  const { directory, names, entry } = findReferenceFiles();
  // With a digest, so that the scripts can be cached for ever.
  const scriptsPath = `docs/${bodyDigestOf(Buffer.concat([entry, Buffer.from(startScript)]))}/`;
  const guideAt = createGuides();
  const prepared = new Map<string, Promise<Representations>>();

  function prepare(path: string): Promise<Representations> | undefined {
    if (path === "") {
      const { title, version } = document.info;
      const index = Buffer.from(JSON.stringify({ name: title, version, ...addresses }));
      return Promise.resolve(pageFile(index, jsonType, false));
    }
    if (path === "llms.txt") {
      const text = Buffer.from(llmsText(document, toolNames));
      return Promise.resolve(pageFile(text, "text/plain; charset=utf-8", false));
    }
    if (path === "docs") {
      const html = Buffer.from(docsPage(`/${scriptsPath}`));
      return Promise.resolve(pageFile(html, "text/html; charset=utf-8", false));
    }
    if (path === "docs/storefront.binpb") {
      return Promise.resolve(pageFile(descriptorSet(), "application/octet-stream", false));
    }
    const guide = guideAt(`/${path}`);
    if (guide !== undefined) {
      return Promise.resolve(pageFile(Buffer.from(guide.text), guide.type, false));
    }
    const name = path.startsWith(scriptsPath) ? path.slice(scriptsPath.length) : undefined;
    if (name === undefined) return undefined;
    const script = (body: Buffer) => pageFile(body, scriptType, true);
    if (name === "start.js") return Promise.resolve(script(Buffer.from(startScript)));
    if (!names.has(name)) return undefined;
    return readFile(join(directory, name)).then(script);
  }

  function find(path: string): Promise<Representations> | undefined {
    const known = prepared.get(path);
    if (known !== undefined) return known;
    const file = prepare(path);
    if (file !== undefined) prepared.set(path, file);
    // A failure may be temporary.
    file?.catch(() => prepared.delete(path));
    return file;
  }

  return (exchange, { segments }, headers) => {
    if (!rootSegments.has(segments[0] ?? "")) return false;
    exchange.operation = "docs";
    const withoutSlash = segments.at(-1) === "" ? segments.slice(0, -1).join("/") : "";
    if (withoutSlash !== "" && find(withoutSlash)) {
      send(exchange, 308, [...headers, ...redirection(`/${withoutSlash}`)]);
      return true;
    }
    const file = find(segments.join("/"));
    if (file === undefined) return false;
    // Browsers are redirected from `/` to the pages, if there are any.
    const varying = segments[0] === "" ? [...headers, "Vary", "Accept"] : headers;
    sendPageFile(exchange, file, varying, docsPolicy);
    return true;
  };
}

/** Script of the API reference that loads the others; their names change with their content. */
const referenceEntry = "standalone.esm.js";

/** The installed API reference as its publisher built it for browsers: scripts below the directory, with slashes. */
function findReferenceFiles(): { directory: string; names: ReadonlySet<string>; entry: Buffer } {
  const main = createRequire(import.meta.url).resolve("@scalar/api-reference");
  const directory = join(dirname(main), "browser");
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name === referenceEntry || /^chunks\/[\w.-]+\.js$/.test(name));
  return { directory, names: new Set(names), entry: readFileSync(join(directory, referenceEntry)) };
}

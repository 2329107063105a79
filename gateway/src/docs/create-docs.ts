import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bodyDigestOf } from "../http/conditions.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Representations } from "../http/representations.ts";
import type { Target } from "../http/target.ts";
import { pageFile, sendPageFile } from "../pages/page-file.ts";
import { docsPage, docsPolicy, startScript } from "./docs-page.ts";
import { llmsText } from "./llms-text.ts";
import type { DescribedApi } from "./llms-text.ts";

const scriptType = "text/javascript; charset=utf-8";

/**
 * The page at `/docs` that shows the OpenAPI document, with its scripts below `/docs/`, and the text
 * of it for language models at `/llms.txt`. A file is read and compressed on its first request; few
 * gateways get one.
 *
 * @returns a function that responds if the request is for such a file, and returns whether it is
 * @throws Error when the API reference is not installed
 */
export function createDocs(
  document: DescribedApi,
  toolNames: readonly string[],
): (exchange: Exchange, target: Target, headers: readonly string[]) => boolean {
  const { directory, names, entry } = findReferenceFiles();
  // With a digest, so that the scripts can be cached for ever.
  const scriptsPath = `docs/${bodyDigestOf(Buffer.concat([entry, Buffer.from(startScript)]))}/`;
  const prepared = new Map<string, Promise<Representations>>();

  function prepare(path: string): Promise<Representations> | undefined {
    if (path === "llms.txt") {
      const text = Buffer.from(llmsText(document, toolNames));
      return Promise.resolve(pageFile(text, "text/plain; charset=utf-8", false));
    }
    if (path === "docs") {
      const html = Buffer.from(docsPage(`/${scriptsPath}`));
      return Promise.resolve(pageFile(html, "text/html; charset=utf-8", false));
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
    if (segments[0] !== "docs" && segments[0] !== "llms.txt") return false;
    exchange.operation = "docs";
    const file = find(segments.join("/"));
    if (file === undefined) return false;
    sendPageFile(exchange, file, headers, docsPolicy);
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

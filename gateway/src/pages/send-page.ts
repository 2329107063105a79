import { chooseCoding } from "../http/content-coding.ts";
import { isNoneMatch } from "../http/entity-tag.ts";
import type { Exchange } from "../http/exchange.ts";
import type { PageFile } from "./load-pages.ts";

/**
 * Sends a file in a coding that the client accepts, or 304 when the client has it already.
 *
 * @param headers those of the answer besides what the file itself tells: names and values in turn
 */
export function sendPage(exchange: Exchange, file: PageFile, headers: readonly string[]): void {
  const { request, response } = exchange;
  const identity = file.codings.get("identity");
  const wanted = chooseCoding(request.headers["accept-encoding"], identity?.body.length ?? 0);
  const coding = file.codings.has(wanted) ? wanted : "identity";
  const coded = file.codings.get(coding);
  if (coded === undefined) throw new Error("a page without its bytes");
  const common = [
    ...headers,
    "Cache-Control",
    file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    "Vary",
    "Accept-Encoding",
    "ETag",
    coded.entityTag,
  ];
  if (isNoneMatch(request.headers["if-none-match"], coded.entityTag)) {
    response.writeHead(304, common).end();
    return;
  }
  if (coding !== "identity") common.push("Content-Encoding", coding);
  common.push("Content-Type", file.contentType, "Content-Length", String(coded.body.length));
  response.writeHead(200, common);
  response.end(request.method === "HEAD" ? undefined : coded.body);
}

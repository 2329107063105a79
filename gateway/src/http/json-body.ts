import { TRPCError } from "@trpc/server";
import type { IncomingMessage } from "node:http";
import { badRequest, unsupportedMediaType } from "../errors/public-error.ts";
import { announcesBody } from "./unfinished-body.ts";

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE for a body of another or no type, PAYLOAD_TOO_LARGE, BAD_REQUEST
 *   for one that is not JSON in UTF-8
 */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  checkType(request);
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const body = await readBytes(request, limitBytes);
  if (body.length === 0) throw badRequest("The body must be a JSON object; it is empty.");
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw badRequest("The body must be well-formed JSON in UTF-8.");
  }
}

function checkType(request: IncomingMessage): void {
  const { headers } = request;
  const type = headers["content-type"];
  if (type === undefined && !announcesBody(request)) return;
  const isUtf8 = /^utf-?8$/i.test(charset.exec(type ?? "")?.[1] ?? "utf-8");
  const coding = headers["content-encoding"] ?? "identity";
  if (type !== undefined && jsonType.test(type) && isUtf8 && coding === "identity") return;
  throw unsupportedMediaType(
    "The body must be of type application/json, in UTF-8 and not compressed.",
  );
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    request.on("data", (chunk: Buffer) => {
      sizeBytes += chunk.length;
      // The rest is read and dropped, so that the client gets the response.
      if (sizeBytes > limitBytes) reject(tooLarge(limitBytes));
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", () => reject(badRequest("The body must be complete.")));
    request.on("close", () => reject(badRequest("The body must be complete.")));
  });
}

function tooLarge(limitBytes: number): TRPCError {
  return new TRPCError({
    code: "PAYLOAD_TOO_LARGE",
    message: `The body must be at most ${limitBytes} bytes.`,
  });
}

import { transcode } from "node:buffer";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A content coding (RFC 9110, 8.4.1). */
export type ContentCoding = "identity" | "br" | "gzip";

// Below this many bytes compression saves nothing worth its time.
const compressFromBytes = 1024;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

// 4 of 11: nearly the ratio of gzip's 9 at the speed of its 6, fast enough for each response.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The coding for a body of this size that the client prefers: of equal ones, Brotli before gzip. */
export function chooseCoding(accepted: string | undefined, sizeBytes: number): ContentCoding {
  if (accepted === undefined || sizeBytes <= compressFromBytes) return "identity";
  const weights = new Map<string, number>();
  for (const part of accepted.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const [br, gz] = [weightOf("br"), weightOf("gzip")];
  // Acceptable unless named, but named ones are preferred.
  const identity = weights.get("identity") ?? 0;
  if (br > 0 && br >= gz && br >= identity) return "br";
  return gz > 0 && gz >= identity ? "gzip" : "identity";
}

export async function encodeBody(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === "br") return await brotli(body, brotliOptions);
  return coding === "gzip" ? await deflate(body) : body;
}

// Below it transcoding costs more than it saves.
const transcodeFromLength = 8192;

// For long texts: a list of 20 offers takes 150 kB, which would be garbage at once.
const scratch = Buffer.allocUnsafeSlow(1024 * 1024);

/**
 * A well-formed text in UTF-8. One character beyond Latin-1 makes the engine hold the whole text in
 * 16-bit units, and `Buffer.from` takes three times as long for those as copying and transcoding.
 */
export function bytesOf(text: string | Buffer): Buffer {
  if (typeof text !== "string") return text;
  if (text.length < transcodeFromLength) return Buffer.from(text);
  return transcode(utf16Of(text), "utf16le", "utf8");
}

/** Valid until the next call. */
function utf16Of(text: string): Buffer {
  if (text.length * 2 > scratch.length) return Buffer.from(text, "utf16le");
  return scratch.subarray(0, scratch.write(text, "utf16le"));
}

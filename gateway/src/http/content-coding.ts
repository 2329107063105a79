import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** How a body is sent. */
export type ContentCoding = "identity" | "br" | "gzip";

// Below this many bytes compression saves nothing worth its time.
const compressFromBytes = 1024;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

// 4 of 11: nearly the ratio of gzip's 9 at the speed of its 6, so that it can be done per answer.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The coding for a body of this size that the client likes best: of equal ones, Brotli before gzip. */
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
  // Who does not name it takes it, but likes whatever is named better.
  const identity = weights.get("identity") ?? 0;
  if (br > 0 && br >= gz && br >= identity) return "br";
  return gz > 0 && gz >= identity ? "gzip" : "identity";
}

/** The body in a coding. */
export async function encodeBody(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === "br") return await brotli(body, brotliOptions);
  return coding === "gzip" ? await deflate(body) : body;
}

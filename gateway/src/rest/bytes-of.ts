import { transcode } from "node:buffer";

// Below it the detour costs more than it saves.
const transcodeFromLength = 8192;

/**
 * A well-formed text in UTF-8. One character beyond Latin-1 makes the engine hold the whole text in
 * 16-bit units, and `Buffer.from` takes three times as long for those as copying and transcoding.
 */
export function bytesOf(text: string | Buffer): Buffer {
  if (typeof text !== "string") return text;
  if (text.length < transcodeFromLength) return Buffer.from(text);
  return transcode(Buffer.from(text, "utf16le"), "utf16le", "utf8");
}

import { transcode } from "node:buffer";

// Below it the detour costs more than it saves.
const transcodeFromLength = 8192;

// Where long texts are copied to: a list of 20 offers takes 150 kB, which would be garbage at once.
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

/** Good until the next text. */
function utf16Of(text: string): Buffer {
  if (text.length * 2 > scratch.length) return Buffer.from(text, "utf16le");
  return scratch.subarray(0, scratch.write(text, "utf16le"));
}

/** A tar archive consists of blocks of so many bytes: a header, then the file; one of zeros ends it. */
const blockBytes = 512;

/** The types of headers. */
const fileType = "0";
const directoryType = "5";

/** A file or a directory in an archive. */
export interface TarEntry {
  readonly path: string;
  readonly isDirectory: boolean;
  readonly content: Buffer;
}

/**
 * What a tar archive of files and directories without long names holds, in its order.
 *
 * @throws Error when it holds anything else, or is not whole.
 */
export function* tarEntries(archive: Buffer): Generator<TarEntry> {
  for (let at = 0; ;) {
    const header = archive.subarray(at, at + blockBytes);
    if (header.length < blockBytes) throw new Error("The archive ends before its last block.");
    if (header.every((byte) => byte === 0)) return;
    const path = textOf(header, 0, 100);
    const type = textOf(header, 156, 1);
    if (type !== fileType && type !== directoryType) {
      throw new Error(`The archive has ${path} of the type "${type}".`);
    }
    const size = Number(`0o${textOf(header, 124, 12)}`);
    if (Number.isNaN(size)) throw new Error(`The archive does not say how long ${path} is.`);
    const start = at + blockBytes;
    yield {
      path,
      isDirectory: type === directoryType,
      content: archive.subarray(start, start + size),
    };
    at = start + Math.ceil(size / blockBytes) * blockBytes;
  }
}

/** A member of a header, which ends with its first zero or with its place. */
function textOf(header: Buffer, start: number, length: number): string {
  return header.toString("latin1", start, start + length).replace(/\0.*$/s, "");
}

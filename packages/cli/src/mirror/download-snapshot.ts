import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Progress } from "../terminal.ts";
import { UserError, userErrorOf } from "../user-error.ts";
import type { SnapshotState } from "./mirror-state.ts";
import { originRequests, bytesOf } from "./origin.ts";
import type { OriginOutage } from "./origin.ts";

interface DownloadOptions {
  origin: string;
  /** Path of the file, which may already contain a part of the snapshot `begun`. */
  path: string;
  begun: SnapshotState | undefined;
  /** Called with another file before its first byte is written. */
  onBegin: (snapshot: SnapshotState) => Promise<void>;
  outage: OriginOutage;
  progress: Progress;
  signal: AbortSignal;
}

/**
 * Downloads the newest snapshot, with retries without a limit: an interrupted download continues by its range while the
 * file is the same, and a file with a wrong checksum is downloaded again.
 *
 * @throws UserError when the origin has none, or the file cannot be written
 */
export async function downloadSnapshot(options: DownloadOptions): Promise<SnapshotState> {
  const { origin, path, outage, progress, signal } = options;
  const request = originRequests(origin, [200, 206, 416]);
  let snapshot = options.begun;
  for (;;) {
    try {
      const haveBytes = snapshot === undefined ? 0 : await sizeOf(path);
      const response = await request("/snapshot", rangeHeaders(snapshot, haveBytes), signal);
      // An unsatisfiable range starts at the end: the file is complete.
      const isComplete = response.status === 416;
      if (response.status === 200) {
        snapshot = undefined;
        snapshot = await begin(response, options);
      }
      if (snapshot === undefined) throw new UserError(`${origin} sent an unrequested range.`);
      const startBytes = response.status === 206 ? haveBytes : 0;
      if (isComplete) await response.body?.cancel();
      else await append(path, countedBytes(response, startBytes, progress));
      if ((await sha256Of(path)) === snapshot.sha256) {
        outage.end();
        return { ...snapshot, isWhole: true };
      }
      snapshot = undefined;
      throw new Error("the checksum of its snapshot is wrong");
    } catch (error) {
      await outage.wait(error, signal);
    }
  }
}

/** Starts another file, unless the origin no longer has the changes after it. */
async function begin(
  response: Response,
  { origin, path, onBegin, signal }: DownloadOptions,
): Promise<SnapshotState> {
  try {
    const snapshot = snapshotOf(response, origin);
    if (!(await canBeFollowed(origin, snapshot.cursor, signal))) {
      throw new Error("its snapshot is older than the changes that it keeps");
    }
    await rm(path, { force: true });
    await onBegin(snapshot);
    return snapshot;
  } catch (error) {
    await response.body?.cancel();
    throw error;
  }
}

function rangeHeaders(snapshot: SnapshotState | undefined, haveBytes: number) {
  return snapshot === undefined
    ? {}
    : { range: `bytes=${haveBytes}-`, "if-range": snapshot.entityTag };
}

function snapshotOf({ headers }: Response, origin: string): SnapshotState {
  const entityTag = headers.get("etag");
  const cursor = headers.get("catalog-cursor");
  const [, sha256] = /sha-256=:([^:]+):/.exec(headers.get("repr-digest") ?? "") ?? [];
  if (entityTag === null || cursor === null || sha256 === undefined) {
    throw new UserError(`${origin}/snapshot is no snapshot of a storefront.`);
  }
  return { entityTag, cursor, sha256, isWhole: false };
}

/**
 * Whether the origin still has the changes after a snapshot. A gateway serves an old snapshot until there is a newer
 * one; a copy that is ahead of it would go back.
 */
async function canBeFollowed(
  origin: string,
  cursor: string,
  signal: AbortSignal,
): Promise<boolean> {
  const request = originRequests(origin, [200, 404, 410]);
  const path = `/snapshot/changes?after=${encodeURIComponent(cursor)}`;
  const { status, body } = await request(path, { accept: "text/event-stream" }, signal);
  await body?.cancel();
  return status === 200;
}

/** @throws UserError when the file cannot be written, as when the disk is full */
async function append(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const cannot = (error: unknown) => {
    throw userErrorOf(`The file ${path} cannot be written`, error);
  };
  const file = await open(path, "a").catch(cannot);
  try {
    for await (const chunk of chunks) await file.writeFile(chunk).catch(cannot);
  } finally {
    await file.close();
  }
}

async function* countedBytes(
  response: Response,
  startBytes: number,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let sizeBytes = startBytes;
  for await (const chunk of bytesOf(response)) {
    sizeBytes += chunk.length;
    progress.update(sizeBytes, `${(sizeBytes / 2 ** 20).toFixed(1)} MiB`);
    yield chunk;
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** Whether the file of a snapshot is unchanged since its download. */
export async function isUndamaged(path: string, snapshot: SnapshotState): Promise<boolean> {
  return (await sha256Of(path).catch(() => undefined)) === snapshot.sha256;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("base64");
}

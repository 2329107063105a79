import { getSnapshot } from "../operations/snapshot/snapshot.ts";
import type { Snapshots } from "../snapshot/snapshots.ts";
import type { Endpoint } from "./endpoint.ts";
import { OpenResponses } from "./open-responses.ts";

/** Downloads at a time: each may take up the disk with an old file. As many as copies may follow, half of one address. */
export const downloadLimits = { max: 20, perAddressMax: 10, retryAfterSeconds: 30 };

export function snapshotEndpoint(snapshots: Snapshots): Endpoint {
  const { path, operationId, contentType } = getSnapshot;
  const downloads = new OpenResponses({ noun: "download", ...downloadLimits });
  return {
    method: "GET",
    operation: operationId,
    path,
    ask: (request) => ({
      respond() {
        const { file, cursor, begunAt } = snapshots.newest();
        const { sizeBytes, sha256 } = file;
        const day = begunAt.toISOString().slice(0, 10);
        return {
          sizeBytes,
          contentType,
          entityTag: `"${sha256.toString("base64url")}"`,
          lastModified: begunAt.toUTCString(),
          headers: [
            "Cache-Control",
            "no-cache",
            "Content-Disposition",
            `attachment; filename="catalogue-${day}.ndjson.gz"`,
            "Catalog-Cursor",
            cursor,
            "Repr-Digest",
            `sha-256=:${sha256.toString("base64")}:`,
          ],
          read(start, end) {
            const download = downloads.open(request);
            return { chunks: file.read(start, end), end: download.end };
          },
        };
      },
    }),
  };
}

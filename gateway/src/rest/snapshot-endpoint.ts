import { getSnapshot } from "../operations/snapshot/get-snapshot.ts";
import type { Snapshots } from "../snapshot/snapshots.ts";
import type { Endpoint } from "./endpoint.ts";

/** The endpoint of the newest snapshot. */
export function snapshotEndpoint(snapshots: Snapshots): Endpoint {
  const { path, operationId, contentType } = getSnapshot;
  return {
    method: "GET",
    operation: operationId,
    path,
    storable: false,
    takesCountry: false,
    ask: () =>
      Promise.resolve(async () => {
        const { file, cursor, begunAt } = snapshots.newest();
        const day = begunAt.toISOString().slice(0, 10);
        return await Promise.resolve({
          sizeBytes: file.sizeBytes,
          contentType,
          entityTag: `"${file.sha256.toString("base64url")}"`,
          lastModified: begunAt.toUTCString(),
          headers: [
            "Cache-Control",
            "no-cache",
            "Content-Disposition",
            `attachment; filename="catalogue-${day}.ndjson.gz"`,
            "Catalog-Cursor",
            cursor,
            "Repr-Digest",
            `sha-256=:${file.sha256.toString("base64")}:`,
          ],
          read: (start: number, end: number) => file.read(start, end),
        });
      }),
  };
}

import { addressBlockOf } from "../http/client-address.ts";
import type { ReadClientAddress } from "../http/client-address.ts";
import { getSnapshot } from "../operations/snapshot/snapshot.ts";
import type { Snapshots } from "../snapshot/snapshots.ts";
import type { Endpoint } from "./endpoint.ts";
import { createOpenResponses } from "./open-responses.ts";

/** Downloads at a time: each may take up the disk with an old file. As many as copies may follow, half of one address. */
export const downloadLimits = { placesMax: 20, placesPerAddressMax: 10, retryAfterSeconds: 30 };

/** The endpoint of the newest snapshot. */
export function snapshotEndpoint(snapshots: Snapshots, readAddress: ReadClientAddress): Endpoint {
  const { path, operationId, contentType } = getSnapshot;
  const openDownloads = createOpenResponses({ noun: "download", ...downloadLimits });
  return {
    method: "GET",
    operation: operationId,
    path,
    storable: false,
    takesCountry: false,
    ask: ({ message }) =>
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
          read: (start: number, end: number) => {
            const address = addressBlockOf(readAddress(message));
            const { leave } = openDownloads.enter({ address, socket: message.socket });
            return { chunks: file.read(start, end), end: leave };
          },
        });
      }),
  };
}

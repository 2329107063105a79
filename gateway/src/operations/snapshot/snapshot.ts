import { z } from "zod";
import { badRequest } from "../../errors/public-error.ts";
import { zObject, zString } from "../../records/members.ts";
import { zIdentifier } from "../../schemas/parameters.ts";
import { readCursor } from "../../snapshot/cursor.ts";
import { stream } from "../rest-operation.ts";
import type { DownloadOperation } from "../rest-operation.ts";

export const getSnapshot: DownloadOperation = {
  path: "/snapshot",
  operationId: "getSnapshot",
  tag: "changelog",
  summary: "Get the whole catalogue",
  description:
    "A file of NDJSON in the import format, compressed by gzip: records with their deletions and past prices, and the changelog's entries; saved queries are not in it. It is made when it is asked for, at most once an hour: while there is none the response is 503 with `Retry-After`, as it is while 20 clients download, or 10 of the client's address. `Range`, conditions and the checksum in `Repr-Digest` are of the file's compressed bytes. A client that takes longer than 2 minutes and a second for each 64 KiB is cut off, and goes on by `Range` and `If-Range`. `Catalog-Cursor` is what `/snapshot/changes` goes on after.",
  input: z.object({}),
  output: zString("Bytes of gzip.", "(bytes)"),
  contentType: "application/gzip",
  failures: [412, 416, 503],
};

const exampleCursor = "2s-1j2k8l9m0n.1c-1j2k8l9m1p.0-.2t-1j2k8l9m2q";

export const watchSnapshotChanges = stream({
  path: "/snapshot/changes",
  operationId: "watchSnapshotChanges",
  tag: "changelog",
  summary: "Follow what is written after a snapshot",
  description:
    "Server-Sent Events: each write after the cursor once, as lines of the import format with `committedAt`, the time of its commit; those of one service in the order of their commit. `op` is `forget` for a record that was deleted with its history. The id of an event is the cursor after it. Comments are sent every few seconds as a heartbeat. 410 when the changes after the cursor are no longer stored, and 404 when its log was lost: restart with a new snapshot. 503 when the gateway has the maximum number of followers.",
  input: z.object({
    after: zIdentifier(
      "The cursor to continue after: of a snapshot, or of an event; what `Last-Event-ID` names counts more.",
      exampleCursor,
    ).optional(),
  }),
  failures: [404, 410, 503],
  event: zObject("SnapshotChange", "A write as a line of the import format.", {
    restored: z.boolean().optional().meta({
      description: "Whether the entries of the changelog come along.",
      example: true,
    }),
    kind: zString("Kind of the record.", "offer"),
    op: z.enum(["upsert", "delete", "forget"]).meta({
      description: "What was done with it.",
      example: "upsert",
    }),
    observedAt: z.string().optional().meta({
      description: "When it was seen so.",
      example: "2026-03-16T19:05:41.000Z",
    }),
    committedAt: zString("When it was stored.", "2026-03-16T19:05:42.117Z"),
    record: z.record(z.string(), z.unknown()).meta({
      description: "The record as the import format has it; of a deletion its identity.",
      example: { id: "o1", namespace: "n1", title: "Tide Tables" },
    }),
  }),
  open: async ({ changes, input, lastEventId, signal }) => {
    const after = lastEventId ?? input.after;
    if (after === undefined) throw badRequest("after is required.");
    return await changes.follow(readCursor(after), signal);
  },
});

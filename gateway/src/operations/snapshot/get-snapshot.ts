import { z } from "zod";
import type { OperationDefinition, OwnFailure } from "../operation.ts";

/** What the REST surface and the OpenAPI document know of a file to be downloaded. */
export interface DownloadOperation extends Pick<
  OperationDefinition<z.ZodObject, z.ZodType>,
  "path" | "operationId" | "tag" | "summary" | "description" | "input" | "output"
> {
  contentType: string;
  failures: readonly OwnFailure[];
}

export const getSnapshot: DownloadOperation = {
  path: "/snapshot",
  operationId: "getSnapshot",
  tag: "changelog",
  summary: "Get the whole catalogue",
  description:
    "A file of NDJSON in the import format, compressed by gzip: records with their deletions and past prices, and the changelog's entries; saved queries are not in it. It is made when it is asked for, at most once an hour: while there is none the response is 503 with `Retry-After`, as it is while 20 clients download, or 10 of the client's address. `Range`, conditions and the checksum in `Repr-Digest` are of the file's compressed bytes. A client that takes longer than 2 minutes and a second for each 64 KiB is cut off, and goes on by `Range` and `If-Range`. `Catalog-Cursor` is what `/snapshot/changes` goes on after.",
  input: z.object({}),
  output: z.string().meta({ description: "Bytes of gzip.", example: "(bytes)" }),
  contentType: "application/gzip",
  failures: [412, 416, 503],
};

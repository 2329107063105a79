import { z } from "zod";
import type { OperationDefinition } from "../operation.ts";

/** What the REST surface and the OpenAPI document know of a file to be downloaded. */
export interface DownloadOperation extends Pick<
  OperationDefinition<z.ZodObject, z.ZodType>,
  "path" | "operationId" | "tag" | "summary" | "description" | "input" | "output"
> {
  contentType: string;
}

export const getSnapshot: DownloadOperation = {
  path: "/snapshot",
  operationId: "getSnapshot",
  tag: "changelog",
  summary: "Get the whole catalogue",
  description:
    "A file of NDJSON in the import format, compressed by gzip: records with their deletions and past prices, and the changelog's entries; saved queries are not in it. It is made when it is asked for, at most once an hour: while there is none the answer is 503 with `Retry-After`. `Range`, `If-Range` and `If-None-Match` are of the file's bytes, as is the checksum in `Repr-Digest`. `Catalog-Cursor` is what `/snapshot/changes` goes on after.",
  input: z.object({}),
  output: z.string().meta({ description: "Bytes of gzip.", example: "(bytes)" }),
  contentType: "application/gzip",
};

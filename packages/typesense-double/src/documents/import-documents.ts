import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { Collection } from "./collection.ts";
import type { DirtyValues } from "./coerce-value.ts";
import { writeDocument } from "./write-document.ts";
import type { WriteAction } from "./write-document.ts";

/** How an import is to be done and what its lines are to answer. */
export interface ImportOptions {
  action: WriteAction;
  dirty: DirtyValues;
  returnId: boolean;
  returnDocument: boolean;
  /** A test's reason to refuse a document, thrown. */
  refuse(document: JsonObject): void;
}

/**
 * Writes one document a line, in order; a bad line does not stop the others.
 *
 * @returns one JSON text a line, in the same order, without a newline at the end.
 */
export function importDocuments(
  collection: Collection,
  body: string,
  options: ImportOptions,
): string {
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.stringify(importLine(collection, line, options))).join("\n");
}

function importLine(collection: Collection, line: string, options: ImportOptions): JsonObject {
  let sent: unknown;
  try {
    sent = parseLine(line);
    if (isJsonObject(sent)) options.refuse(sent);
    const stored = writeDocument(collection, sent, options.action, options.dirty);
    return {
      success: true,
      ...(options.returnId && { id: stored.id }),
      ...(options.returnDocument && { document: stored.document }),
    };
  } catch (error) {
    if (!(error instanceof TypesenseError)) throw error;
    const id = isJsonObject(sent) ? sent["id"] : undefined;
    return {
      code: error.status,
      ...(options.returnDocument && { document: line }),
      error: error.message,
      ...(options.returnId && typeof id === "string" && { id }),
      success: false,
    };
  }
}

/** @throws TypesenseError 400 when the text is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new TypesenseError(`Bad JSON: ${(error as Error).message}`);
  }
}

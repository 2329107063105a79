import type { StoredDocument } from "../documents/collection.ts";

/** Whether a document passes. */
export type DocumentFilter = (stored: StoredDocument) => boolean;

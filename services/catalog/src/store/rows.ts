/** A row with nothing but the serialized record. */
export interface RecordRow {
  record: Uint8Array;
}

/** A canonical offer with its text in the requested locale, both serialized. */
export interface OfferRow extends RecordRow {
  /** Null when there is none, and without a requested locale. */
  text: Uint8Array | null;
}

/** A part of a list by id. */
export interface IdRange {
  /** Only greater ids; empty for all. */
  afterId: string;
  pageSize: number;
  /** Only what was changed at this time or later; undefined for all. */
  changedSince: Date | undefined;
}

/** The rows of a part of a list, and whether there are more: one more than `pageSize` was read. */
export function toPart<Row>(rows: readonly Row[], pageSize: number) {
  return { rows: rows.slice(0, pageSize), hasMore: rows.length > pageSize };
}

/** A row of a page's statement: one per record, or a single one without a record for an empty page. */
export interface ListRow {
  total: bigint;
  record: Uint8Array | null;
}

/** The rows with a record, and the number of rows on all pages. */
export function toPage<Row extends ListRow>(rows: readonly Row[]) {
  return {
    rows: rows.filter((row): row is Row & RecordRow => row.record !== null),
    totalSize: rows[0]?.total ?? 0n,
  };
}

/** Rows in the order of the requested ids, each once; ids without a row are left out. */
export function inOrder<Row extends { id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

export function recordsOf(rows: readonly RecordRow[]): Uint8Array[] {
  return rows.map(({ record }) => record);
}

/** The serialized texts of offers that have one. */
export function textsOf(rows: readonly OfferRow[]): Uint8Array[] {
  return rows.flatMap(({ text }) => text ?? []);
}

/** A part of a list, by rows to skip and rows to give. */
export interface PageRange {
  offset: number;
  pageSize: number;
}

/** A page of a list with the number of rows on all pages. */
export interface Page<Row> {
  rows: Row[];
  totalSize: bigint;
}

/**
 * Takes apart what a page's statement gives: one row per record, or a single row without a record
 * for an empty page, each with the total beside it.
 */
export function toPage<Row extends { record: Uint8Array | null; total: bigint }>(
  rows: readonly Row[],
): Page<Row & { record: Uint8Array }> {
  return {
    rows: rows.filter((row): row is Row & { record: Uint8Array } => row.record !== null),
    totalSize: rows[0]?.total ?? 0n,
  };
}

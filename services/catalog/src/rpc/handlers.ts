import type { DescMessage } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound, pageOf } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";

/** Some handlers of the reads, by RPC; the contract specifies what each returns. */
export type CatalogHandlers = Partial<ServiceImpl<typeof CatalogService>>;

export function offerNotFound(offerId: string): ServiceError {
  return notFound(ErrorReason.OFFER_NOT_FOUND, "no offer has this id", { offerId });
}

/** The requested part of a list by id. */
export function idRangeOf(
  schema: DescMessage,
  request: { afterId: string; pageSize: number; changedSince?: Timestamp | undefined },
) {
  const { afterId, changedSince } = request;
  const { pageSize } = pageOf(schema, request);
  return { afterId, pageSize, changedSince: changedSince && timestampDate(changedSince) };
}

/** A row with only the serialized record. */
export interface RecordRow {
  record: Uint8Array;
}

/** A canonical offer with its text in the requested locale, both serialized. */
export interface OfferRow extends RecordRow {
  /** Null when there is none, and without a requested locale. */
  text: Uint8Array | null;
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

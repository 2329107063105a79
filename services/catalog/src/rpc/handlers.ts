import type { DescMessage } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound, pageOf } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";
import type { IdRange } from "../store/rows.ts";

/** Some handlers of the reads, by RPC; the contract says what each returns. */
export type CatalogHandlers = Partial<ServiceImpl<typeof CatalogService>>;

export function offerNotFound(offerId: string): ServiceError {
  return notFound(ErrorReason.OFFER_NOT_FOUND, "no offer has this id", { offerId });
}

/** The requested part of a list by id. */
export function idRangeOf(
  schema: DescMessage,
  request: { afterId: string; pageSize: number; changedSince?: Timestamp | undefined },
): IdRange {
  const { afterId, changedSince } = request;
  const { pageSize } = pageOf(schema, request);
  return { afterId, pageSize, changedSince: changedSince && timestampDate(changedSince) };
}

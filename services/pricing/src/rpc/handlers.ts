import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";

const dayMs = 86_400_000;

/** Some handlers of the reads, by RPC; the contract specifies what each returns. */
export type PricingHandlers = Partial<ServiceImpl<typeof PricingService>>;

/** The instant of a request; absent means now. */
export function instantOf(at: Timestamp | undefined): Date {
  return at === undefined ? new Date() : timestampDate(at);
}

/**
 * For how long a response about an instant stays the same if nothing is written, at most a day.
 *
 * @param next when time alone changes it; null for never
 */
export function validForMs(at: Date, next: Date | null): number {
  return next === null ? dayMs : Math.min(dayMs, Math.max(0, next.getTime() - at.getTime()));
}

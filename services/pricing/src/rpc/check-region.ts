import { isRegion } from "@storefront/regions";
import type { RequestCheck } from "@storefront/rpc";

/** The region of a request must be a pricing region, in capitals. */
export function checkRegion(check: RequestCheck, region: string): void {
  check.that("region", isRegion(region), "must be one of the pricing regions, such as US");
}

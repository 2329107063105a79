import type { ServiceImpl } from "@connectrpc/connect";
import type { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";

/** The handlers of the reads, by RPC; what each gives is said in the contract. */
export type ReviewsHandlers = ServiceImpl<typeof ReviewsService>;

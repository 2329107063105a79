import { createClient } from "@connectrpc/connect";
import type { Client, Transport } from "@connectrpc/connect";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";

// Each client takes a transport of Connect, over any of its protocols, to the service's own address.
// Failures are `ConnectError`. A call has the deadline of the transport (`defaultTimeoutMs`) or of the call
// (`timeoutMs`); without one a stream has none, and any other call that of the service, 10 s.

/** A client of the catalog service: sandboxes, items, offers, builds. */
export function createCatalogServiceClient(transport: Transport): Client<typeof CatalogService> {
  return createClient(CatalogService, transport);
}

/** A client of the pricing service: prices by region, their history, giveaways. */
export function createPricingServiceClient(transport: Transport): Client<typeof PricingService> {
  return createClient(PricingService, transport);
}

/** A client of the reviews service. */
export function createReviewsServiceClient(transport: Transport): Client<typeof ReviewsService> {
  return createClient(ReviewsService, transport);
}

/** A client of the changelog service: observed changes, also as a stream. */
export function createChangelogServiceClient(
  transport: Transport,
): Client<typeof ChangelogService> {
  return createClient(ChangelogService, transport);
}

/** A client of the search service: ids of offers and changes by filters, text and meaning. */
export function createSearchServiceClient(transport: Transport): Client<typeof SearchService> {
  return createClient(SearchService, transport);
}

/** A client of the change feed of the catalog, pricing or reviews service. */
export function createFeedServiceClient(transport: Transport): Client<typeof FeedService> {
  return createClient(FeedService, transport);
}

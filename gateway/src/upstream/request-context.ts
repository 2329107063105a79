import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CacheStore } from "../redis/cache-store.ts";
import type {
  FacetQuery,
  OfferAggregations,
  OfferQuerySchema,
} from "@storefront/contracts/search/v1/offer_query";
import type { Region } from "@storefront/identifiers";
import type { Admission } from "./admission.ts";
import type { CallScope } from "./call-scope.ts";
import type { Clients } from "./clients.ts";

/** Counts and times a procedure that was called by tRPC; `code` is `ok`, what its client is told, or `CANCELED` when it has left. */
export type ObserveProcedure = (operation: string, code: string, startedAt: number) => void;

/** Counts over all that a search finds. */
export interface AggregationsFinder {
  find(
    ctx: RequestContext,
    query: MessageInitShape<typeof OfferQuerySchema>,
    region: Region,
    options: { isDisjunctive: boolean; facetQuery?: Pick<FacetQuery, "facet" | "text"> },
  ): Promise<OfferAggregations>;
}

/** What procedures know of the request they answer, and what they work with. */
export interface RequestContext extends CallScope {
  /** Told of every procedure that tRPC calls. */
  readonly observeProcedure: ObserveProcedure;
  readonly admission: Admission;
  readonly clients: Clients;
  /** What searches have counted just now. */
  readonly aggregations: AggregationsFinder;
  /** The cache that gateways share; undefined without one. */
  readonly cache: CacheStore | undefined;
  /** The request's `Cookie` header. */
  readonly cookie: string | undefined;
  /** Services whose best-effort part is missing from the answer. */
  readonly degraded: Set<string>;
  /** Whether the answer depends on the country cookie. */
  countryFromCookie: boolean;
}

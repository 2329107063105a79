import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CacheStore } from "../redis/cache-store.ts";
import type {
  FacetQuery,
  OfferAggregations,
  OfferQuerySchema,
} from "@storefront/contracts/search/v1/offer_query";
import type { Region } from "@storefront/domain/identifiers";
import type { Admission } from "./admission.ts";
import type { CallScope } from "./call-scope.ts";
import type { Clients } from "./clients.ts";

/** Measures a procedure that tRPC called; `code` is `ok`, its error code, or `CANCELED` for a client that left. */
export type ObserveProcedure = (operation: string, code: string, startedAt: number) => void;

/** Counts over everything that a search finds. */
export interface AggregationsFinder {
  find(
    ctx: RequestContext,
    query: MessageInitShape<typeof OfferQuerySchema>,
    region: Region,
    options: { isDisjunctive: boolean; facetQuery?: Pick<FacetQuery, "facet" | "text"> },
  ): Promise<OfferAggregations>;
}

/** The request of a procedure, and what procedures work with. */
export interface RequestContext extends CallScope {
  readonly observeProcedure: ObserveProcedure;
  readonly admission: Admission;
  readonly clients: Clients;
  readonly aggregations: AggregationsFinder;
  /** The cache that gateways share; undefined without one. */
  readonly cache: CacheStore | undefined;
  /** The request's `Cookie` header. */
  readonly cookie: string | undefined;
  /** The request's `Authorization` header. */
  readonly authorization: string | undefined;
  /** Fails unless that has a token of an administrator. */
  readonly admin: { check: (authorization: string | undefined) => void };
  /** Services whose best-effort part is missing from the response. */
  readonly degraded: Set<string>;
  /** Whether the response depends on the country cookie. */
  countryFromCookie: boolean;
  /** Whether the call has created what it returns. */
  isCreated: boolean;
}

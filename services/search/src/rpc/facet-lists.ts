import type { ServiceImpl } from "@connectrpc/connect";
import { ListSellersRequestSchema } from "@storefront/contracts/search/v1/search_service";
import type { SearchService } from "@storefront/contracts/search/v1/search_service";
import { defaultRegion } from "@storefront/domain/regions";
import { pageOf } from "@storefront/rpc";
import { partsOfLabel } from "../domain/label.ts";
import { everything } from "../domain/offer-filter.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { countValues } from "./vocabulary.ts";
import { bucketMessage } from "./search.ts";

/** Lists of all values of a facet. */
export function facetListHandlers({ engine }: { engine: SearchEngine }) {
  return {
    async countOffersByTag() {
      const [{ aggregations }, { buckets }] = await Promise.all([
        countValues(engine, { aggregations: ["tags"] }),
        engine.countFacets({ filter: everything, region: defaultRegion, nowMs: Date.now() }),
      ]);
      // The most frequent name of each id comes first.
      const names = new Map<string, string>();
      for (const { key } of aggregations.tags ?? []) {
        const { name, id = "" } = partsOfLabel(key);
        if (!names.has(id)) names.set(id, name);
      }
      return {
        tags: (buckets.tagCounts ?? []).map(({ key, count }) => ({
          tagId: key,
          name: names.get(key),
          offerCount: BigInt(count),
        })),
      };
    },

    async listSellers(request) {
      const { offset, pageSize } = pageOf(ListSellersRequestSchema, request);
      const text = request.text.trim();
      const { aggregations } = await countValues(engine, {
        aggregations: ["sellers"],
        facetQuery: text === "" ? undefined : { of: "sellers", text },
      });
      const { sellers = [] } = aggregations;
      return {
        sellers: sellers.slice(offset, offset + pageSize).map(bucketMessage),
        totalSize: BigInt(sellers.length),
      };
    },
  } satisfies Partial<ServiceImpl<typeof SearchService>>;
}

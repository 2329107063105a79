import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import {
  SuggestionKind,
  SuggestRequestSchema,
} from "@storefront/contracts/search/v1/search_service";
import type {
  SearchService,
  SuggestionSchema,
} from "@storefront/contracts/search/v1/search_service";
import type { Queryable } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { pageOf } from "@storefront/rpc";
import { canonicalQuery } from "../domain/canonical-query.ts";
import { containing } from "../domain/facet-query.ts";
import { plainText } from "../domain/highlights.ts";
import { partsOfLabel } from "../domain/label.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import { chunksOf, indexWords } from "../domain/text-words.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { readOfferRecords } from "../store/source-offer-store.ts";
import type { Vocabulary } from "./vocabulary.ts";

type Suggestion = MessageInitShape<typeof SuggestionSchema>;

/** Maximum names of sellers, and of tags, among the suggestions. */
const namesMax = 2;

/** The most frequent names of each kind are compared, in some milliseconds. */
const comparedMax = 2_000;

export function suggestionHandlers(deps: {
  engine: SearchEngine;
  database: Queryable;
  vocabulary: Vocabulary;
}) {
  /** Offers with matching titles, best first, and the corrected text. */
  async function titlesOf(text: string, limit: number): Promise<Suggestion[]> {
    const query = canonicalQuery(create(OfferQuerySchema, { title: text }));
    const { offerIds, highlights } = await deps.engine.searchOffers({
      filter: offerFilter(query),
      order: offerOrder(query).order,
      region: defaultRegion,
      nowMs: Date.now(),
      offset: 0,
      limit,
      aggregations: [],
      highlight: true,
    });
    // Others were found by their tags or makers.
    const titled = offerIds.filter((id) => highlights?.get(id)?.title !== undefined);
    const offers = await readOfferRecords(deps.database, titled);
    const titleOf = new Map(offers.map(({ id, title }) => [id, title]));
    const corrected = correctionOf(text, highlights?.get(titled[0] ?? "")?.title ?? "");
    return [
      ...(corrected === undefined ? [] : [{ text: corrected, kind: SuggestionKind.CORRECTION }]),
      ...titled.flatMap((offerId) => {
        const title = titleOf.get(offerId);
        return title === undefined ? [] : [{ text: title, offerId, kind: SuggestionKind.TITLE }];
      }),
    ];
  }

  async function namesOf(text: string): Promise<Suggestion[]> {
    const { sellers = [], tags = [] } = await deps.vocabulary.values();
    const isMatching = containing(text);
    return [
      { kind: SuggestionKind.SELLER, buckets: sellers },
      { kind: SuggestionKind.TAG, buckets: tags },
    ].flatMap(({ kind, buckets }) => {
      const found = buckets.slice(0, comparedMax).filter(({ key }) => isMatching(key));
      return found.slice(0, namesMax).map(({ key }) => {
        const { name, id } = partsOfLabel(key);
        return { text: name, kind, ...(id !== undefined && { id }) };
      });
    });
  }

  return {
    async suggest(request) {
      const { pageSize } = pageOf(SuggestRequestSchema, request);
      const text = request.text.trim();
      if (text === "") return { suggestions: [] };
      const [titles, names] = await Promise.all([titlesOf(text, pageSize), namesOf(text)]);
      const room = Math.max(1, pageSize - names.length);
      return { suggestions: [...titles.slice(0, room), ...names].slice(0, pageSize) };
    },
  } satisfies Partial<ServiceImpl<typeof SearchService>>;
}

/**
 * The matched words of a title, if a typed word is not among them. Undefined unless the title has one match per typed word.
 *
 * @param marked the title with its matches in `mark` elements; empty without a match
 */
export function correctionOf(text: string, marked: string): string | undefined {
  const matched = [...marked.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, html = ""]) =>
    plainText(html),
  );
  if (matched.length !== chunksOf(text).length) return undefined;
  const found = matched.flatMap((word) => indexWords(word));
  const isTyped = (word: string) => found.some((each) => each.startsWith(word));
  return indexWords(text).every(isTyped) ? undefined : matched.join(" ");
}

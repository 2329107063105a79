import {
  BatchGetOffersResponseSchema,
  GetOfferResponseSchema,
  ListOffersRequestSchema,
  ListOffersResponseSchema,
  ListRankedOffersRequestSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { joinLookups } from "@storefront/database";
import type { Queryable } from "@storefront/database";
import { asLocale, asOfferId } from "@storefront/domain/identifiers";
import type { Locale, OfferId } from "@storefront/domain/identifiers";
import { encodedOf, pageOf } from "@storefront/rpc";
import { inOrder, recordsOf, textsOf, toPart, idRangeOf, offerNotFound } from "./handlers.ts";
import type { OfferRow, CatalogHandlers } from "./handlers.ts";

/** An empty locale means no texts, and no offer types mean all. */
export function offerHandlers(database: Queryable) {
  const rowsOf = (offerIds: readonly OfferId[], locale: Locale) =>
    locale === ""
      ? database.read<IdentifiedOffer>(listOffersById, [offerIds])
      : database.read<IdentifiedOffer>(listOffersWithTexts, [offerIds, locale]);
  const findOffer = joinLookups<OfferRow, OfferId, Locale>({
    one: (offerId, locale) =>
      locale === ""
        ? database.readOne(getOffer, [offerId])
        : database.readOne(getOfferWithText, [offerId, locale]),
    many: async (offerIds, locale) =>
      new Map((await rowsOf(offerIds, locale)).map((row) => [row.id, row])),
  });
  return {
    async getOffer({ offerId, locale }) {
      const row = await findOffer(asOfferId(offerId), asLocale(locale));
      if (row === undefined) throw offerNotFound(offerId);
      return encodedOf(GetOfferResponseSchema, { offer: row.record, text: row.text });
    },

    async batchGetOffers({ offerIds, locale }) {
      const known = await rowsOf(offerIds.map(asOfferId), asLocale(locale));
      const rows = inOrder(offerIds, known);
      return encodedOf(BatchGetOffersResponseSchema, {
        offers: recordsOf(rows),
        texts: textsOf(rows),
      });
    },

    async listOffers(request) {
      const { afterId, pageSize, changedSince } = idRangeOf(ListOffersRequestSchema, request);
      const { offerTypes, locale } = request;
      const range = [afterId, pageSize + 1, changedSince ?? null];
      const parameters = [...range, offerTypes, asLocale(locale)];
      const found = await database.read<OfferRow>(listAllOffers, parameters);
      const { rows, hasMore } = toPart(found, pageSize);
      return encodedOf(ListOffersResponseSchema, {
        offers: recordsOf(rows),
        texts: textsOf(rows),
        hasMore: Number(hasMore),
      });
    },

    async listRankedOffers(request) {
      const { pageSize } = pageOf(ListRankedOffersRequestSchema, request);
      const parameters = [request.offerTypes, pageSize];
      const rows = await database.read<RankedOfferRow>(bestRanked, parameters);
      return {
        rankedOffers: rows.map(({ offer_id, position }) => ({ offerId: offer_id, position })),
      };
    },

    async countOffersBySeller({ offerIds }) {
      const rows = await database.read<SellerCountRow>(countBySeller, [offerIds]);
      return {
        sellerCounts: rows.map((row) => ({
          seller: { id: row.seller_id ?? undefined, name: row.seller_name ?? undefined },
          offerCount: row.offer_count,
        })),
      };
    },

    async resolveSlugs({ slugs }) {
      const rows = await database.read<SluggedOfferRow>(resolveSlugs, [[...new Set(slugs)]]);
      const found = new Map(rows.map((row) => [row.slug, row]));
      return {
        mappings: slugs.map((slug) => {
          const offer = found.get(slug);
          return { slug, offerId: offer?.id, namespace: offer?.namespace ?? undefined };
        }),
      };
    },

    async checkOffersExist({ offerIds }) {
      const rows = await database.read<{ id: string }>(existingOffers, [offerIds]);
      return { existingOfferIds: inOrder(offerIds, rows).map(({ id }) => id) };
    },
  } satisfies CatalogHandlers;
}

interface IdentifiedOffer extends OfferRow {
  id: string;
}

/** A seller and how many offers it sells; one of id and name is known. */
interface SellerCountRow {
  seller_id: string | null;
  seller_name: string | null;
  offer_count: bigint;
}

/** The offer that a slug finds. */
interface SluggedOfferRow {
  slug: string;
  id: string;
  namespace: string | null;
}

/** An offer and its best position in any collection, from 1. */
interface RankedOfferRow {
  offer_id: string;
  position: number;
}

const getOffer = {
  name: "catalog.getOffer",
  text: "select record, null::bytea as text from catalog.offer where id = $1",
};

const getOfferWithText = {
  name: "catalog.getOfferWithText",
  text: `
    select offer.record, text.record as text
    from catalog.offer
    left join catalog.offer_text as text on text.offer_id = offer.id and text.locale = $2
    where offer.id = $1`,
};

const listOffersById = {
  name: "catalog.listOffers",
  text: "select id, record, null::bytea as text from catalog.offer where id = any($1)",
};

const listOffersWithTexts = {
  name: "catalog.listOffersWithTexts",
  text: `
    select offer.id, offer.record, text.record as text
    from catalog.offer
    left join catalog.offer_text as text on text.offer_id = offer.id and text.locale = $2
    where offer.id = any($1)`,
};

const listAllOffers = {
  name: "catalog.listAllOffers",
  text: `
    select offer.record, text.record as text
    from catalog.offer
    left join catalog.offer_text as text on text.offer_id = offer.id and text.locale = $5
    where offer.id > $1
      and ($3::timestamptz is null or offer.changed_at >= $3)
      and (cardinality($4::text[]) = 0 or offer.offer_type = any($4::text[]))
    order by offer.id
    limit $2`,
};

const existingOffers = {
  name: "catalog.existingOffers",
  text: "select id from catalog.offer where id = any($1)",
};

// The offer with the earliest `creation_date` for each slug.
const resolveSlugs = {
  name: "catalog.resolveSlugs",
  text: `
    select wanted.slug, found.id, found.namespace
    from unnest($1::text[]) as wanted(slug)
    cross join lateral (
      select id, namespace
      from catalog.offer
      where slug_keys @> array[wanted.slug]
      order by creation_date nulls last, id
      limit 1
    ) as found`,
};

// Most offers first, then by the seller's id; offers without a seller do not count. A seller is identified by its
// id, or else by its name, and named as in its newest offer.
const countBySeller = {
  name: "catalog.countOffersBySeller",
  text: `
    select
      seller_id,
      (array_agg(seller_name order by last_modified_date desc nulls last, id)
        filter (where seller_name is not null))[1] as seller_name,
      count(*) as offer_count
    from catalog.offer
    where id = any($1) and (seller_id is not null or seller_name is not null)
    group by seller_id, case when seller_id is null then seller_name end
    order by count(*) desc, seller_id nulls last, 2`,
};

// Best position first, then by id.
const bestRanked = {
  name: "catalog.listRankedOffers",
  text: `
    select ranking.offer_id, min(ranking.position) as position
    from catalog.ranking
    join catalog.offer on offer.id = ranking.offer_id
    where cardinality($1::text[]) = 0 or offer.offer_type = any($1::text[])
    group by ranking.offer_id
    order by min(ranking.position), ranking.offer_id
    limit $2`,
};

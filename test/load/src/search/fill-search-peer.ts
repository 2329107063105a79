import { Client } from "pg";
import {
  insertOffers,
  insertPrices,
  searchIndexes,
  searchSchema,
} from "../../peers/search-schema.ts";
import type { SearchRecords } from "./search-records.ts";

const rowsPerStatement = 2000;

// An offer's technologies are derived from items and builds; both sides search the same result.
const copyTechnologies = `
  update peer_search.offer as offer set technologies = source.technologies
  from search.source_offer as source
  where source.id = offer.id and source.technologies <> '{}'`;

/** Creates the peer's tables from the imported and indexed records. */
export async function fillSearchPeer(databaseUrl: string, records: SearchRecords): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const insert = async (sql: string, rows: readonly object[]): Promise<void> => {
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      await client.query(sql, [JSON.stringify(rows.slice(start, start + rowsPerStatement))]);
    }
  };
  try {
    await client.query(searchSchema);
    await insert(insertOffers, records.offers.map(offerRow));
    await insert(insertPrices, records.prices.map(priceRow));
    await client.query(copyTechnologies);
    await client.query(searchIndexes);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

function offerRow(offer: SearchRecords["offers"][number]): object {
  const tags = new Map((offer.tags ?? []).map(({ id, name }) => [id, name]));
  return {
    id: offer.id,
    offer_type: offer.offerType,
    developer: offer.developerDisplayName,
    publisher: offer.publisherDisplayName,
    seller_name: offer.seller?.name,
    refund_type: offer.refundType,
    is_code_redemption_only: offer.isCodeRedemptionOnly ?? false,
    tag_ids: [...tags.keys()],
    tag_names: [...new Set(tags.values())].filter((name) => name !== ""),
    technologies: [],
    categories: offer.categories ?? [],
    attribute_keys: (offer.customAttributes ?? []).map(({ key }) => key),
    last_modified_date: offer.lastModifiedDate,
    effective_date: offer.effectiveDate,
    creation_date: offer.creationDate,
    viewable_date: offer.viewableDate,
    pc_release_date: offer.pcReleaseDate,
  };
}

function priceRow(price: SearchRecords["prices"][number]): object {
  const { offerId, region, original, discounted, updatedAt, lowest } = price;
  return {
    region,
    offer_id: offerId,
    original,
    discounted,
    updated_at: updatedAt,
    is_lowest: discounted < original && discounted <= lowest,
  };
}

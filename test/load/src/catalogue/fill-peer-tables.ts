import { Client } from "pg";
import { firstRegions } from "@storefront/domain/regions";
import type { BenchRecords } from "./bench-records.ts";

const tables = `
  create schema peer;
  create table peer.offer (
    id text primary key,
    collection_offer_ids text[] not null,
    record jsonb not null
  );
  create table peer.price (
    offer_id text not null,
    region text not null,
    record jsonb not null,
    primary key (offer_id, region)
  );`;

const insertOffers = `
  insert into peer.offer (id, collection_offer_ids, record)
  select
    record ->> 'id',
    array(select jsonb_array_elements_text(record -> 'collectionOfferIds')),
    record
  from jsonb_array_elements($1::jsonb) as record`;

const insertPrices = `
  insert into peer.price (offer_id, region, record)
  select record ->> 'offerId', record ->> 'region', record
  from jsonb_array_elements($1::jsonb) as record`;

const recordsPerStatement = 2000;

/** Creates the peers' tables from the imported records: one document per record. */
export async function fillPeerTables(
  databaseUrl: string,
  { offers, prices }: BenchRecords,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const insert = async (sql: string, records: readonly object[]): Promise<void> => {
    for (let start = 0; start < records.length; start += recordsPerStatement) {
      const part = records.slice(start, start + recordsPerStatement);
      await client.query(sql, [JSON.stringify(part)]);
    }
  };
  try {
    await client.query(tables);
    const shown = offers.map((offer) => ({
      ...offer,
      locale: "en-US",
      localeStatus: "canonical",
    }));
    await insert(insertOffers, shown);
    await insert(insertPrices, prices.map(shownPrice));
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

/** An imported price with the members that the gateway adds. */
function shownPrice({ price, appliedRules, ...rest }: BenchRecords["prices"][number]) {
  const { currencyCode, originalPrice, discount } = price;
  return {
    ...rest,
    price: {
      ...price,
      currencyDecimals: firstRegions.decimalsOf(currencyCode),
      percentOff: originalPrice === 0 ? 0 : Math.round((discount * 100) / originalPrice),
    },
    appliedRules: appliedRules.map((rule) => ({
      ...rule,
      percentOff: Math.round(100 - (rule.discountPercentage ?? 100)),
    })),
  };
}

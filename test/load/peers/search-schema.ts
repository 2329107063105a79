/**
 * Hand-written tables for searching offers: a row per offer with arrays of its filtered and counted
 * values, a row per price, and an index for every filter and sort.
 */
export const searchSchema = `
  create schema peer_search;
  create table peer_search.offer (
    id text collate "C" primary key,
    offer_type text collate "C",
    developer text collate "C",
    publisher text collate "C",
    seller_name text collate "C",
    refund_type text,
    is_code_redemption_only boolean not null,
    tag_ids text[] not null,
    tag_names text[] collate "C" not null,
    technologies text[] collate "C" not null default '{}',
    categories text[] not null,
    attribute_keys text[] not null,
    last_modified_date timestamptz,
    effective_date timestamptz,
    creation_date timestamptz,
    viewable_date timestamptz,
    pc_release_date timestamptz
  );
  create table peer_search.price (
    region text collate "C" not null,
    offer_id text collate "C" not null,
    original int not null,
    discounted int not null,
    updated_at timestamptz,
    is_lowest boolean not null,
    primary key (region, offer_id)
  );`;

/** Created after the rows are inserted. */
export const searchIndexes = `
  create index on peer_search.offer (offer_type);
  create index on peer_search.offer (developer);
  create index on peer_search.offer using gin (tag_ids);
  create index on peer_search.offer using gin (technologies);
  create index on peer_search.offer using gin (categories);
  create index on peer_search.offer using gin (attribute_keys);
  create index on peer_search.offer (last_modified_date desc nulls last, id);
  create index on peer_search.offer (effective_date desc nulls last, id);
  create index on peer_search.offer (creation_date desc nulls last, id);
  create index on peer_search.offer (viewable_date desc nulls last, id);
  create index on peer_search.offer (pc_release_date desc nulls last, id);
  create index on peer_search.price (region, discounted, offer_id);`;

/** $1: offers as a JSON array, with the columns' names. */
export const insertOffers = `
  insert into peer_search.offer
  select * from jsonb_populate_recordset(null::peer_search.offer, $1)`;

/** $1: prices as a JSON array, with the columns' names. */
export const insertPrices = `
  insert into peer_search.price
  select * from jsonb_populate_recordset(null::peer_search.price, $1)`;

-- A price in a region is a row, so that to change one neither reads nor writes those of other regions. Releases before
-- keep them in search.source_price and follow the feed from a cursor of their own, so both can run beside each other.
create table search.region_price (
  offer_id text collate "C" not null,
  region text collate "C" not null,
  -- In minor units; null where there is no price any more.
  original int8,
  discounted int8,
  -- Milliseconds since 1970.
  updated_at int8,
  -- The lowest discounted amount on record, in minor units.
  lowest int8,
  -- What lows are told by: see domain/price-history.ts.
  floor jsonb,
  -- A column of its own: an index over `floor` would have to be written with every change of a price.
  lacks_floor boolean not null,
  primary key (offer_id, region)
) with (fillfactor = 90);
insert into search.region_price
  select offer_id, region, (price ->> 0)::int8, (price ->> 1)::int8, (price ->> 2)::float8::int8, (price ->> 3)::int8,
    nullif(price -> 4, 'null'), coalesce(price -> 4, 'null') = 'null'
  from search.source_price, jsonb_each(prices) as each(region, price);
create index region_price_without_floor on search.region_price (offer_id) where lacks_floor;
insert into search.feed_cursor
  select 'region prices', sequence, identity, identity_sequence from search.feed_cursor where feed = 'pricing';
insert into search.quarantined_entry
  select 'region prices', sequence, identity, kind, key, entry, error, first_failed_at, superseded_by
  from search.quarantined_entry where feed = 'pricing';

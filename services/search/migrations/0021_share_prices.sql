-- contract: no longer read since 0.2.0
-- All generations of the index share one table of prices, so that a price is written once and a reindex copies none.
-- A search reads one region: a partition. Numbers stand for offers as in the tables of the generations.
create table search.price (
  region text collate "C" not null,
  number int not null,
  -- In minor units; null where there is no price any more.
  original int8,
  discounted int8,
  -- Milliseconds since 1970.
  updated_at int8,
  -- What a search reads of lows, made of the columns below and the release of the offer: see domain/price-history.ts.
  is_lowest boolean not null,
  lowest_since int8,
  -- The lowest discounted amount on record, in minor units.
  lowest int8,
  floor jsonb,
  -- A column of its own: an index over `floor` would have to be written with every change of a price.
  lacks_floor boolean not null,
  primary key (number, region)
) partition by list (region);
do $$
declare
  code text;
begin
  foreach code in array regexp_split_to_array('AE AFRICA ANZ AR AU BG BR2 CA CH CIS CL2 CN2 CO2 CR2 CZ DK EAST EURO GB
    HK2 HU ID2 IL IN2 JP KR2 KZ LATAM MIDEAST MX2 MY2 NO NZ PE2 PH2 PL QA RO ROW RU SA SE SEA SG2 TH2 TR TW2 UA US UY2
    VN2 ZA2', '\s+') loop
    execute format('create table search.price_%s partition of search.price for values in (%L) with (fillfactor = 90)',
      lower(code), code);
  end loop;
end
$$;
create table search.price_other partition of search.price default;
insert into search.offer_number (offer_id)
  select distinct offer_id from search.region_price as price
  where not exists (select from search.offer_number as known where known.offer_id = price.offer_id);
-- Lows are made of pricing's snapshot, which is taken while a floor is lacking.
insert into search.price
  select region, number, original, discounted, updated_at,
    coalesce(discounted < original and discounted <= lowest, false), null, lowest, null, true
  from search.region_price join search.offer_number using (offer_id);
create index price_without_floor on search.price (number) where lacks_floor;
drop table search.region_price;

-- Prices that were written, each with its region: a replica reads those of the regions that it holds. They are noted as
-- those of generation 0.
alter table search.index_write add column price_regions text[] not null default '{}';
create function search.note_price_write() returns trigger language plpgsql as $$
declare
  noted int8;
begin
  insert into search.index_write (generation, offers, prices, price_regions)
    select 0, '{}', array_agg(number), array_agg(region) from changed having count(*) > 0
    returning version into noted;
  delete from search.index_write where generation = 0 and version < noted - 5000;
  return null;
end
$$;
create trigger noted_insert after insert on search.price referencing new table as changed
  for each statement execute function search.note_price_write();
create trigger noted_update after update on search.price referencing new table as changed
  for each statement execute function search.note_price_write();
create trigger noted_delete after delete on search.price referencing old table as changed
  for each statement execute function search.note_price_write();

-- Release 0.2.0 writes prices to a table of each generation. It reads them back from there while its cursor is ahead,
-- such as when an update is undone before it has ended. Functions, because 0.2.0 drops the table without what depends on it.
create function search.is_020_ahead() returns boolean language sql stable as $$
  select coalesce(
    (select sequence from search.feed_cursor where feed = 'pricing')
      > (select sequence from search.feed_cursor where feed = 'region prices'), false)
$$;
create function search.prices_of_020(generation int, code text) returns table
  (region text, number int, original int8, discounted int8, updated_at int8, is_lowest boolean)
language plpgsql stable as $$
begin
  return query execute format('
    select region, number, original, discounted, updated_at, is_lowest from search.price as price
      where region = $1 and original is not null
        and not exists (select from search.g%1$s_price as own where own.number = price.number)
        -- Of an offer without prices it deletes the rows.
        and exists (select from search.offer_number join search.source_price as source using (offer_id)
          where offer_number.number = price.number and source.prices -> $1 ->> 0 is not null)
    union all
    select region, number, original, discounted, updated_at, is_lowest from search.g%1$s_price where region = $1',
    generation) using code;
end
$$;

-- What is kept of all states of a price, for its lows. Not of a price that has had a single one, and not up to date
-- where `observed_at` is not that of the last state in the history, as a release without this table leaves it: then the
-- history tells.
create table price_past (
  offer_id text collate "C" not null,
  region text collate "C" not null,
  -- Of the last state in it.
  observed_at timestamptz not null,
  -- A serialized storefront.pricing.v1.PricePast, which reads pass through.
  message bytea not null,
  primary key (offer_id, region)
);

-- A price that is forgotten leaves nothing of its past, whichever release forgets it.
create function forget_price_past() returns trigger language plpgsql as $$
begin
  delete from pricing.price_past where offer_id = old.offer_id and region = old.region;
  return null;
end
$$;

create trigger forgets_past after delete on price_history
  for each row execute function forget_price_past();

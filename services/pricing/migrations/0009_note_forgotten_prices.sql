-- Prices that were forgotten: what the log says of them up to `sequence` is of a past that is to be told no more, also
-- when the price is heard of again. One row for each, since few are ever forgotten.
create table pricing.forgotten_price (
  offer_id text collate "C" not null,
  region text collate "C" not null,
  -- The newest sequence of the log before the entry that tells of it.
  sequence bigint not null,
  primary key (offer_id, region)
);

-- A history goes when its price is forgotten, whichever release forgets it, and before that is logged.
create function pricing.note_forgotten_prices() returns trigger language plpgsql as $$
begin
  insert into pricing.forgotten_price (offer_id, region, sequence)
  select distinct gone.offer_id, gone.region, log.last_value
  from gone cross join pricing.change_log_seq as log
  on conflict (offer_id, region) do update set sequence = excluded.sequence;
  return null;
end
$$;

create trigger notes_forgotten after delete on pricing.price_history
  referencing old table as gone
  for each statement execute function pricing.note_forgotten_prices();

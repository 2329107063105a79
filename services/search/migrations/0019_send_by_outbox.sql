-- What an index outside of the database does not have yet, as keys: a sender reads what is stored of each and takes the
-- row away when the index has it. Written in the transaction that stores what changed. Writers take turns, so positions
-- become visible in their order.
create sequence outbox_position;
create table outbox (
  -- The one that lacks it; 0 for all.
  generation int not null,
  -- offer, price, entry, or vector: the vectors of an offer are stale.
  kind text collate "C" not null,
  -- Of the offer, or of the entry.
  id text collate "C" not null,
  -- Of a price; * for those of all regions.
  region text collate "C" not null default '',
  -- Rises when it changes again.
  position bigint not null,
  -- Since when it waits.
  queued_at timestamptz not null default clock_timestamp(),
  primary key (generation, kind, id, region)
);
create index outbox_in_turn on outbox (generation, position);

-- `record` is a storefront.pricing.v1.Giveaway.
create table giveaway (
  id text collate "C" primary key,
  record bytea not null,
  observed_at timestamptz not null,
  offer_id text collate "C",
  platform text collate "C",
  start_date timestamptz,
  end_date timestamptz
);

create index giveaway_by_offer on giveaway (offer_id, start_date);
create index giveaway_by_end on giveaway (end_date);

-- `record` is a storefront.pricing.v1.OfferPrice.
create table price (
  offer_id text collate "C" not null,
  region text collate "C" not null,
  record bytea not null,
  observed_at timestamptz not null,
  -- Minor units off the original price.
  discount bigint not null,
  primary key (offer_id, region)
);

-- Every state that a price has had, the present one included. A null record is a deletion.
create table price_history (
  offer_id text collate "C" not null,
  region text collate "C" not null,
  observed_at timestamptz not null,
  updated_at timestamptz,
  record bytea,
  primary key (offer_id, region, observed_at)
);

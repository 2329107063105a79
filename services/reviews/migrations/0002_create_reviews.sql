create table review (
  id text collate "C" primary key,
  -- storefront.reviews.v1.Review
  record bytea not null,
  observed_at timestamptz not null,
  offer_id text collate "C",
  -- Unknown is false here.
  is_verified boolean not null,
  created_at timestamptz
);
create index review_of_offer on review (offer_id, created_at desc nulls last, id);
create index review_of_offer_verified on review (offer_id, is_verified, created_at desc nulls last, id);

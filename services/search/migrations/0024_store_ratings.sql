-- Ratings of reviews, those of 0 aside, which are none.
create table source_review (
  id text primary key,
  offer_id text not null,
  rating float8 not null
);
create index source_review_offer on source_review (offer_id);

-- The ratings of each offer that has any.
create table offer_rating (
  offer_id text primary key,
  count bigint not null,
  sum float8 not null,
  -- The mean of the ratings of all offers, as of when this one was indexed.
  prior float8 not null
);

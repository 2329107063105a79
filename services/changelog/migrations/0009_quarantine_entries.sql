-- Entries of feeds that could not be applied, and were passed over.
create table quarantined_entry (
  feed text not null,
  sequence bigint not null,
  identity text not null,
  kind text not null,
  -- The identity members of the record.
  key text[] not null,
  -- storefront.feed.v1.FeedEntry
  entry bytea not null,
  -- What it failed with last.
  error text not null,
  first_failed_at timestamptz not null default clock_timestamp(),
  -- Sequence of a later write of the same record that was applied.
  superseded_by bigint,
  primary key (feed, sequence, identity)
);

-- The tables of a service that follows the feeds of others, as they are today: what a new service's first migration has.

-- How far a feed is applied, in the transaction of what it stands for.
create table feed_cursor (
  feed text primary key,
  sequence bigint not null,
  -- What tells the entry at `identity_sequence` from one that had the same sequence in a history that was lost.
  identity text,
  identity_sequence bigint
);

-- Who applies a feed; one row for each.
create table feed_lease (
  feed text primary key,
  -- Null when it was given back.
  holder text,
  -- Of the projection that the last holder wrote.
  version int not null default 0,
  -- The holder renews it with what it applies, and not while there is nothing to apply.
  expires_at timestamptz not null default clock_timestamp()
);

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

-- How far the records of an owner's snapshot are applied while one is under way, in the transaction of what it stands for.
create table snapshot_progress (
  feed text primary key,
  -- Why it is taken, as `feed_resynchronisations_total` says it.
  reason text not null,
  -- Of the owner's log, where it was begun.
  sequence bigint not null,
  identity text not null,
  -- Of the last record that is applied; the key is empty before the first of its kind.
  kind text not null,
  key text[] not null,
  -- Applied so far.
  records bigint not null
);

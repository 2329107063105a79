-- The ordered log of every write; `seq` increases in the order of commit, because writers of the
-- schema hold one lock. `entry` is a storefront.feed.v1.FeedEntry without sequence and committed_at.
create table change_log (
  seq bigint generated always as identity primary key,
  kind text not null,
  key text[] not null,
  namespace text not null,
  observed_at timestamptz not null,
  committed_at timestamptz not null default clock_timestamp(),
  entry bytea not null
);

-- When records that are not there were deleted, so that older observations do not bring them back.
create table tombstone (
  kind text not null,
  -- SHA-256 of the key, which may be longer than an entry of an index.
  key_digest bytea not null,
  key text[] not null,
  namespace text not null,
  observed_at timestamptz not null,
  primary key (kind, key_digest)
);

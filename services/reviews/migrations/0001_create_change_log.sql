-- Every write that changed something, in the order of commit: writers take the schema's lock.
create table change_log (
  seq bigint generated always as identity primary key,
  kind text not null,
  key text[] not null,
  namespace text not null,
  observed_at timestamptz not null,
  committed_at timestamptz not null default clock_timestamp(),
  -- storefront.feed.v1.FeedEntry without its sequence and time of commit.
  entry bytea not null
);

-- What was deleted and when that was seen, so that an older observation does not bring it back.
create table tombstone (
  kind text not null,
  -- SHA-256 of the key, which may be longer than an entry of an index.
  key_digest bytea not null,
  key text[] not null,
  namespace text not null,
  observed_at timestamptz not null,
  primary key (kind, key_digest)
);

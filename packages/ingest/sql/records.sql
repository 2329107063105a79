-- The tables that a service which stores records has beside those of its kinds and of its log, as they are today: what
-- a new service's first migration has.

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

-- When records were last seen again just as they are stored, where that is later than their row says. The times of a
-- group of records stand in one row, so that a record that is only seen again costs a few bytes and not a new row.
create table sighting (
  kind text not null,
  -- A member of the identity that the group has in common.
  group_key text collate "C" not null,
  -- The other members of the identity, joined by U+001F.
  members text[] not null,
  -- One for each of `members`.
  seen_at timestamptz[] not null,
  primary key (kind, group_key)
) with (fillfactor = 50); -- Room for a second version of each row on its page: then no index is written.

-- A row since when times go there.
create table sighting_start (
  only_row boolean primary key default true check (only_row),
  started_at timestamptz not null default now()
);
insert into sighting_start (only_row) values (true);

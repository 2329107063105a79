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

-- A row since when times go there. None while a release may write here that reads them in the records' rows only: 0.2.0
-- and before, which have left entries in the log.
create table sighting_start (
  only_row boolean primary key default true check (only_row),
  started_at timestamptz not null default now()
);
insert into sighting_start (only_row) select true where not exists (select from change_log);

-- The canonical log. It only grows.
create table entry (
  -- Place in the log, in the order of commit: writers take the schema's lock.
  position bigint generated always as identity primary key,
  id text collate "C" not null unique,
  observed_at timestamptz not null,
  -- The latest observed_at up to here. It never falls along the log, so that the first entry of a
  -- time is found by an index.
  latest_observed_at timestamptz not null,
  committed_at timestamptz not null default clock_timestamp(),
  context_type text collate "C" not null,
  context_id text collate "C" not null,
  namespace text not null,
  -- What the entry is about: changelog.subject.
  subject bigint not null,
  -- storefront.changelog.v1.Entry
  entry bytea not null
);
create unique index entry_newest on entry (observed_at desc, id);
create index entry_of_type on entry (context_type, observed_at desc, id);
create index entry_of_context on entry (context_id, observed_at desc, id);
create index entry_of_subject on entry (subject);
create index entry_since on entry (latest_observed_at, position);

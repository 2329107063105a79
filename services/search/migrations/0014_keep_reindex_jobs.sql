-- Reindexes, each with how far it is, so that a process goes on with one whose process has ended.
create table reindex_job (
  number int generated always as identity primary key,
  -- Engine, format and embedding model that the index is asked for.
  signature text collate "C" not null,
  -- For people.
  started_by text not null,
  started_at timestamptz not null default clock_timestamp(),
  -- learning, offers, entries, queueing, embedding, finishing or activating; then done, cancelled or failed.
  phase text not null default 'learning',
  -- The one that is built; null before there is one.
  generation int,
  -- Moment of the texts' history since which it takes the feeds' writes.
  texts_moment bigint,
  -- Id of the last record that the phase has dealt with.
  after_id text collate "C" not null default '',
  written bigint not null default 0,
  total bigint not null default 0,
  progressed_at timestamptz not null default clock_timestamp(),
  -- Process that works on it; nobody else does until then.
  holder text,
  held_until timestamptz not null default clock_timestamp(),
  -- How often it was taken up since it last came forward.
  attempts int not null default 0,
  -- What it failed with last.
  error text,
  ended_at timestamptz
);
-- One at a time, for all processes.
create unique index reindex_job_under_way on reindex_job ((true)) where ended_at is null;

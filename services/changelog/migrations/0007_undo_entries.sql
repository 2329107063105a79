-- What it takes to undo the entries of a history that the catalog has lost, and to compare what is left with
-- the catalog's records.

alter table entry
  -- Of the record as the entry left it: 8 bytes of its SHA-256, 0 when it was deleted. Null of foreign entries and of
  -- those that release 0.2.0 wrote.
  add column record_digest bigint;

-- Where records were before a write moved them.
create table subject_move (
  subject bigint not null references subject (id),
  -- Of the write, in the catalog's log.
  sequence bigint not null,
  -- Its state before: namespace, app, itemId, releaseApps, isObserved.
  before jsonb not null,
  primary key (subject, sequence)
);

-- Entries that were taken back. Each has a second place in the log, where its followers hear of it.
create table undone_entry (
  position bigint primary key default nextval(pg_get_serial_sequence('changelog.entry', 'position')),
  id text collate "C" not null,
  -- Its place while it counted, and when it was put there.
  entry_position bigint not null,
  entry_committed_at timestamptz not null,
  namespace text not null,
  observed_at timestamptz not null,
  committed_at timestamptz not null default clock_timestamp()
);
create index undone_entry_of_id on undone_entry (id);
create index undone_entry_of_position on undone_entry (entry_position);

-- Saved queries whose offers are compared time and again, each in a pricing region: somebody reads what enters and
-- leaves them.
create table query_watch (
  number bigint generated always as identity primary key,
  query_id text collate "C" not null,
  region text collate "C" not null,
  -- Tells it from one that had the same number in a history that was lost.
  began_at timestamptz not null default clock_timestamp(),
  -- Who follows says so once an hour; nobody asks for one that has been silent for 14 days.
  asked_at timestamptz not null default clock_timestamp(),
  -- Whether the clock alone changes what it finds.
  changes_with_time boolean not null,
  -- What it found last, and of which state of the index that was; null before the first time.
  offer_ids text[] collate "C",
  compared_state text,
  compared_at timestamptz,
  -- Of several processes that compare, only the one whose claim is the last stores what it found.
  claim bigint not null default 0,
  claimed_until timestamptz not null default '-infinity',
  -- Events up to this sequence are no longer kept.
  pruned_through bigint not null default 0,
  unique (query_id, region)
);
create index query_watch_by_last_use on query_watch (asked_at);

-- Offers that entered or left what a query finds. Of one watch they are stored by one process after the other, so their
-- sequence is that of the commits.
create table query_event (
  watch bigint not null references query_watch on delete cascade,
  sequence bigint generated always as identity,
  offer_id text collate "C" not null,
  has_entered boolean not null,
  noted_at timestamptz not null default now(),
  primary key (watch, sequence)
);

-- The tables of a service that keeps a log of its writes, as they are today: what a new service's first migration has.
-- Services that are older came to the same by several, which stay as they are; a test compares them.

-- Every write that changed something; `seq` increases in the order of commit, because writers of the schema hold one
-- lock. In partitions of a day each, so that what is no longer kept goes by dropping a table.
create sequence change_log_seq as bigint;
create table change_log (
  seq bigint not null default nextval('change_log_seq'),
  kind text not null,
  key text[] not null,
  namespace text not null,
  observed_at timestamptz not null,
  committed_at timestamptz not null default clock_timestamp(),
  -- storefront.feed.v1.FeedEntry without sequence and committed_at.
  entry bytea not null
) partition by range (committed_at);
alter sequence change_log_seq owned by change_log.seq;

-- What was committed on a day that nobody has made a partition for, so that no write is refused.
create table change_log_other_days partition of change_log (primary key (seq)) default;

-- The newest entry that is no longer kept: the log begins after it. No row while all are.
create table log_start (
  only_row boolean primary key default true check (only_row),
  sequence bigint not null,
  committed_at timestamptz not null,
  -- When the first entry of all was committed, which names the log.
  began_at timestamptz not null
);

-- How far those have got who follow the log. Entries that one of them has not passed are kept until its grace is over.
create table log_follower (
  -- One for all replicas of the follower.
  name text collate "C" primary key,
  -- Everything up to here is applied for good.
  sequence bigint not null,
  acknowledged_at timestamptz not null
);

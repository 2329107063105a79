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

-- On which day (UTC) entries were committed: those from this sequence to that of the next row. A read of the log looks in
-- the partitions of these days only. A day is there again when the clock was put back past midnight.
create table log_day (
  first_sequence bigint primary key,
  day date not null
);

-- Whatever the release that writes. What a history that was lost had from its first sequence on goes.
create function note_log_day() returns trigger language plpgsql set search_path from current as $$
begin
  delete from log_day where first_sequence >= (select min(seq) from added);
  insert into log_day (first_sequence, day)
  select seq, day from (
    select seq, day,
      lag(day, 1, (select day from log_day order by first_sequence desc limit 1)) over (order by seq) as day_before
    from (select seq, (committed_at at time zone 'UTC')::date as day from added) as entry
  ) as entry where day is distinct from day_before;
  return null;
end
$$;
create trigger notes_day after insert on change_log
  referencing new table as added
  for each statement execute function note_log_day();

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

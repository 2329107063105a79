-- The log in partitions of a day each, so that what is no longer kept goes by dropping a table. What is there becomes
-- the first of them, which also takes the writes of the next two days: until then partitions are made for the days to
-- come. It is read once, to see that none of its entries is newer; nothing is copied.
alter table change_log rename to change_log_before_days;

-- Sequences go on where they were, also where the newest entries are gone: identity columns are not for partitions.
create sequence change_log_seq as bigint;
select setval('change_log_seq', (select last_value from change_log_seq_seq), (select is_called from change_log_seq_seq));
alter table change_log_before_days alter column seq drop identity;

create table change_log (
  like change_log_before_days including defaults including storage including compression
) partition by range (committed_at);
alter table change_log alter column seq set default nextval('change_log_seq');
alter sequence change_log_seq owned by change_log.seq;
alter table change_log attach partition change_log_before_days
  for values from (minvalue) to (date_trunc('day', now(), 'UTC') + interval '48 hours');

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

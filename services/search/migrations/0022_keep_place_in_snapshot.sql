-- How far the records of an owner's snapshot are applied while one is under way, in the transaction of what it stands for.
create table snapshot_progress (
  feed text primary key,
  -- Why it is taken, as `feed_resynchronisations_total` says it.
  reason text not null,
  -- Of the owner's log, where it was begun.
  sequence bigint not null,
  identity text not null,
  -- Of the last record that is applied; the key is empty before the first of its kind.
  kind text not null,
  key text[] not null,
  -- Applied so far.
  records bigint not null
);

-- How far those have got who follow the log. Entries that one of them has not passed are kept until its grace is over.
create table reviews.log_follower (
  -- One for all replicas of the follower.
  name text collate "C" primary key,
  -- Everything up to here is applied for good.
  sequence bigint not null,
  acknowledged_at timestamptz not null
);

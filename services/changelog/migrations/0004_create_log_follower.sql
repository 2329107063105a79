-- How far those have got who follow the log.
create table changelog.log_follower (
  -- One for all replicas of the follower.
  name text collate "C" primary key,
  -- Everything up to here is applied for good.
  sequence bigint not null,
  acknowledged_at timestamptz not null
);

-- contract: no longer read since 0.2.0
-- What a snapshot has is compared page by page, in the order of both. Release 0.2.0 takes no snapshots.
drop table search.snapshot_key;

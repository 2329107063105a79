-- What tells the entry at the cursor from one that had the same sequence in a history that was lost; that of
-- `identity_sequence`, since release 0.2.0 moves the sequence alone.
alter table feed_cursor
  add column identity text,
  add column identity_sequence bigint;

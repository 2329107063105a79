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

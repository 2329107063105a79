-- Saved queries that nobody has used for 90 days are forgotten. The day, in UTC, is set at the first use of each day.
-- Those that are there already, and those that release 0.2.0 saves, begin with today.
alter table saved_query
  add column last_used_on date not null default (now() at time zone 'utc')::date;

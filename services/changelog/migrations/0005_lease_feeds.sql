-- Who applies a feed; one row for each.
create table feed_lease (
  feed text primary key,
  -- Null when it was given back.
  holder text,
  -- Of the projection that the last holder wrote.
  version int not null default 0,
  -- The holder renews it with what it applies, and not while there is nothing to apply.
  expires_at timestamptz not null default clock_timestamp()
);

-- Texts that identify or order records compare by code point, so that pages and exports have one order everywhere.
create table catalog.sandbox (
  id text collate "C" primary key,
  observed_at timestamptz not null,
  record bytea not null
);

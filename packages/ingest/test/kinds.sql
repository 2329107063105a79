create table offer (
  id text collate "C" primary key,
  record bytea not null,
  observed_at timestamptz not null,
  title text,
  tags text[]
);

create table ranking (
  collection text collate "C" not null,
  offer_id text collate "C" not null,
  record bytea not null,
  observed_at timestamptz not null,
  primary key (collection, offer_id)
);

create table offer_details (
  offer_id text collate "C" primary key,
  record bytea not null,
  observed_at timestamptz not null
);

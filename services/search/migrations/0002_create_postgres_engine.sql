-- What the generations of the postgres engine share. Numbers stand for texts, for short rows and quick
-- comparisons; they never change and are never used again.

create table live_generation (
  generation int not null
);

create table offer_number (
  number int generated always as identity primary key,
  offer_id text collate "C" not null unique
);

-- Values that offers are filtered by and counted by.
create table term (
  number int generated always as identity primary key,
  kind text not null,
  value text collate "C" not null,
  -- SHA-256 of kind and value, which may be longer than an entry of an index.
  digest bytea not null unique
);

-- Words that texts are found by, for correcting misspelt ones.
create table word (
  number int generated always as identity primary key,
  word text collate "C" not null unique
);

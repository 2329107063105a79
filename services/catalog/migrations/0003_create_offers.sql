create table catalog.offer (
  id text collate "C" primary key,
  observed_at timestamptz not null,
  namespace text collate "C",
  offer_type text collate "C",
  pre_purchase boolean not null,
  creation_date timestamptz,
  last_modified_date timestamptz,
  -- Unicode case folded, for the title filter.
  title_folded text collate "C",
  seller_id text collate "C",
  seller_name text collate "C",
  item_ids text[] collate "C" not null,
  tag_ids text[] collate "C" not null,
  -- Every slug that finds the offer; none for a pre-purchase offer.
  slug_keys text[] collate "C" not null,
  record bytea not null
);

create index offer_by_namespace on catalog.offer (namespace, last_modified_date desc nulls last, id);
-- No pending list: it would be read whole by each of a thousand look-ups of one call.
create index offer_by_item on catalog.offer using gin (item_ids) with (fastupdate = off);
create index offer_by_slug on catalog.offer using gin (slug_keys) with (fastupdate = off);

create table catalog.offer_text (
  offer_id text collate "C" not null,
  locale text collate "C" not null,
  observed_at timestamptz not null,
  record bytea not null,
  primary key (offer_id, locale)
);

create table catalog.offer_details (
  offer_id text collate "C" primary key,
  observed_at timestamptz not null,
  record bytea not null
);

create table catalog.ranking (
  collection text collate "C" not null,
  offer_id text collate "C" not null,
  observed_at timestamptz not null,
  position int4 not null,
  record bytea not null,
  primary key (collection, offer_id)
);

create index ranking_by_position on catalog.ranking (position, offer_id);

create table catalog.tag (
  id text collate "C" primary key,
  observed_at timestamptz not null,
  status text collate "C",
  record bytea not null
);

create table catalog.age_rating (
  namespace text collate "C" not null,
  rating_system text collate "C" not null,
  observed_at timestamptz not null,
  record bytea not null,
  primary key (namespace, rating_system)
);

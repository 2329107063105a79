-- What the feeds have told, in the form that index documents are made from: whatever the engine, a new
-- generation is filled from here.

create table feed_cursor (
  feed text primary key,
  sequence bigint not null
);

create table source_offer (
  id text collate "C" primary key,
  namespace text collate "C",
  item_ids text[] collate "C" not null,
  -- Of the newest builds of its applications; kept up to date with items and builds.
  technologies text[] collate "C" not null default '{}',
  -- storefront.catalog.v1.Offer without what search has no use for.
  record bytea not null
);
create index source_offer_by_item on source_offer using gin (item_ids) with (fastupdate = off);
create index source_offer_by_namespace on source_offer (namespace);

create table source_item (
  id text collate "C" primary key,
  namespace text collate "C",
  is_executable boolean not null,
  app_ids text[] collate "C" not null
);
create index source_item_by_app on source_item using gin (app_ids) with (fastupdate = off);
create index source_executable_by_namespace on source_item (namespace) where is_executable;

create table source_build (
  id text collate "C" primary key,
  app_name text collate "C",
  updated_at_ms bigint,
  technologies text[] collate "C" not null
);
create index source_build_by_app on source_build (app_name, updated_at_ms desc nulls last, id);

create table source_giveaway (
  id text collate "C" primary key,
  offer_id text collate "C",
  start_ms bigint,
  end_ms bigint
);
create index source_giveaway_by_offer on source_giveaway (offer_id);

create table source_price (
  offer_id text collate "C" primary key,
  -- By region: [original, discounted, when it was updated in ms or null, lowest discounted on record].
  -- The first two are null where there is no price any more.
  prices jsonb not null
);

-- Titles and further ids of what changelog entries are about, also of what was deleted.
create table source_context (
  type text collate "C" not null,
  -- SHA-256 of the identity.
  key_digest bytea not null,
  -- What entries call it: of an asset its artifact.
  id text collate "C" not null,
  words text not null,
  primary key (type, key_digest)
);
create index source_context_by_id on source_context (type, id);

create table source_entry (
  id text collate "C" primary key,
  timestamp_ms bigint not null,
  context_type text collate "C" not null,
  context_id text collate "C" not null,
  -- Words of the changes, each once.
  words text not null
);
create index source_entry_by_context on source_entry (context_type, context_id);

create table saved_query (
  id text collate "C" primary key,
  -- storefront.search.v1.OfferQuery, canonical
  query bytea not null,
  created_at timestamptz not null default now()
);

-- Generations of the index that take writes.
create table generation (
  number int primary key,
  -- Engine, format and embedding model that it was made with; another one asks for a new generation.
  signature text not null,
  -- What the embedder learned from the catalogue.
  trained bytea,
  is_live boolean not null,
  -- A build whose process died is known by its silence.
  touched_at timestamptz not null default now()
);
create sequence generation_number as int;

-- Offers whose text is to be embedded, in every generation that has vectors.
create table embedding_queue (
  offer_id text collate "C" primary key,
  -- Rises with every change of the text, so that a late vector is known to be stale.
  version bigint not null
);
create sequence embedding_version;

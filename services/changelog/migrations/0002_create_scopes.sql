-- What is known of the records that entries are about: where they are now, or were last.
create table subject (
  id bigint generated always as identity primary key,
  type text collate "C" not null,
  -- The identity members, joined by line feeds, which no identifier holds.
  key text collate "C" not null,
  namespace text,
  -- Of a build, the application; of an asset, its artifact.
  app text collate "C",
  -- Of an asset, the item that it installs.
  item_id text collate "C",
  -- False while only foreign entries speak of it.
  is_observed boolean not null,
  unique (type, key)
);
create index subject_of_app on subject (app) where app is not null;

-- The applications that items name in their release info.
create table item_app (
  app text collate "C" not null,
  item bigint not null references subject (id),
  primary key (app, item)
);
create index item_app_of_item on item_app (item);

-- A list of entries with its exact length: `all`, one `type`, a `sandbox` or an `item`.
create table scope (
  id bigint generated always as identity primary key,
  kind text collate "C" not null,
  key text collate "C" not null,
  entries bigint not null default 0,
  unique (kind, key)
);

-- The sandboxes and items whose lists hold the entries of a subject.
create table subject_scope (
  subject bigint not null references subject (id),
  scope bigint not null references scope (id),
  primary key (subject, scope)
);

-- Those lists, so that a page of any of them is one stretch of an index.
create table scope_entry (
  scope bigint not null,
  observed_at timestamptz not null,
  id text collate "C" not null
);
create unique index scope_entry_newest on scope_entry (scope, observed_at desc, id);

-- What subject_scope must be. A record is in the sandbox of its namespace. What has none of its own (a
-- build) is wherever an item or an asset names its application. An asset whose item is not known
-- belongs to the items that name its artifact.
create view present_scope as
  select id as subject, 'sandbox' as kind, namespace as key
  from changelog.subject where namespace is not null
union
  select dependent.id, 'sandbox', item.namespace
  from changelog.subject as dependent
  join changelog.item_app on item_app.app = dependent.app
  join changelog.subject as item on item.id = item_app.item
  where dependent.namespace is null and item.namespace is not null
union
  select dependent.id, 'sandbox', asset.namespace
  from changelog.subject as dependent
  join changelog.subject as asset on asset.app = dependent.app
  where dependent.namespace is null and asset.type = 'asset' and asset.namespace is not null
union
  select id, 'item', key from changelog.subject where type = 'item'
union
  select id, 'item', item_id from changelog.subject where item_id is not null
union
  select dependent.id, 'item', item.key
  from changelog.subject as dependent
  join changelog.item_app on item_app.app = dependent.app
  join changelog.subject as item on item.id = item_app.item
  where dependent.item_id is null;

create table feed_cursor (
  feed text primary key,
  sequence bigint not null
);

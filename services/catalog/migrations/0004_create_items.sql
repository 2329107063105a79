create table catalog.item (
  id text collate "C" primary key,
  observed_at timestamptz not null,
  namespace text collate "C",
  last_modified_date timestamptz,
  entitlement_type text collate "C",
  -- Applications of its release info, each once.
  app_ids text[] collate "C" not null,
  record bytea not null
);

create index item_by_last_modified on catalog.item (last_modified_date desc nulls last, id);
create index item_executable_by_namespace on catalog.item (namespace, id) where entitlement_type = 'EXECUTABLE';

create table catalog.asset (
  -- SHA-256 of the identity, which may be longer than an entry of an index.
  key_digest bytea primary key,
  artifact_id text collate "C" not null,
  platform text collate "C" not null,
  namespace text collate "C" not null,
  observed_at timestamptz not null,
  id text collate "C",
  item_id text collate "C",
  -- Unicode case folded, because platforms are asked for in any case.
  platform_folded text collate "C" not null,
  download_size_bytes int8,
  installed_size_bytes int8,
  updated_at timestamptz,
  record bytea not null
);

create index asset_by_artifact on catalog.asset (artifact_id, platform);
create index asset_by_namespace on catalog.asset (namespace, updated_at desc nulls last, artifact_id);
create index asset_by_id on catalog.asset (id) where id is not null;

create table catalog.build (
  id text collate "C" primary key,
  observed_at timestamptz not null,
  app_name text collate "C",
  updated_at timestamptz,
  record bytea not null
);

create index build_by_app on catalog.build (app_name, updated_at desc nulls last, id);

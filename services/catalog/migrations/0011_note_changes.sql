-- When a record was last changed here, so that lists can give what has changed since a time. Records that were here before
-- this migration count as changed by it.
alter table catalog.offer add column changed_at timestamptz not null default now();
alter table catalog.sandbox add column changed_at timestamptz not null default now();

-- Whatever the release that writes.
create function catalog.note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end
$$;
create trigger notes_change before update on catalog.offer
  for each row when (old.record is distinct from new.record) execute function catalog.note_change();
create trigger notes_change before update on catalog.sandbox
  for each row when (old.record is distinct from new.record) execute function catalog.note_change();

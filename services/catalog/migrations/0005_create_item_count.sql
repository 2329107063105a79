-- The number of items, kept by the writes themselves: counting a million rows on every page would cost more than the page.
create table catalog.item_count (
  only_row boolean primary key default true check (only_row),
  count int8 not null
);

insert into catalog.item_count (count) select count(*) from catalog.item;

create function catalog.count_items() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update catalog.item_count set count = count + (select count(*) from changed) where exists (select from changed);
  else
    update catalog.item_count set count = count - (select count(*) from changed) where exists (select from changed);
  end if;
  return null;
end
$$;

create trigger count_inserted_items after insert on catalog.item
  referencing new table as changed for each statement execute function catalog.count_items();
create trigger count_deleted_items after delete on catalog.item
  referencing old table as changed for each statement execute function catalog.count_items();

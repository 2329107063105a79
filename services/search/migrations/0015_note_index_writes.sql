-- What each write to a generation of the postgres engine has changed, for the replicas that hold its offers and prices
-- in memory. The newest writes are remembered; who has missed more reads all anew. Triggers note it, so that what an
-- older release writes is known as well.
create table index_write (
  generation int not null,
  version int8 generated always as identity,
  offers int[] not null,
  prices int[] not null,
  primary key (generation, version)
);

-- Arguments: the generation, and whether its table of offers or of prices was written.
create function note_index_write() returns trigger language plpgsql as $$
declare
  noted int8;
begin
  insert into search.index_write (generation, offers, prices)
    select tg_argv[0]::int,
      case when tg_argv[1] = 'offer' then array_agg(number) else '{}' end,
      case when tg_argv[1] = 'price' then array_agg(distinct number) else '{}' end
    from changed having count(*) > 0
    returning version into noted;
  delete from search.index_write where generation = tg_argv[0]::int and version < noted - 5000;
  return null;
end
$$;

-- Notes from now on what is written to the tables of a generation.
create function note_generation(generation int) returns void language plpgsql as $$
declare
  part text;
begin
  foreach part in array array['offer', 'price'] loop
    execute format('create trigger noted_insert after insert on search.g%s_%s referencing new table as changed
      for each statement execute function search.note_index_write(%s, %s)', generation, part, generation, part);
    execute format('create trigger noted_update after update on search.g%s_%s referencing new table as changed
      for each statement execute function search.note_index_write(%s, %s)', generation, part, generation, part);
    execute format('create trigger noted_delete after delete on search.g%s_%s referencing old table as changed
      for each statement execute function search.note_index_write(%s, %s)', generation, part, generation, part);
  end loop;
end
$$;

-- Typesense has its generations elsewhere.
select note_generation(number) from generation
where to_regclass(format('search.g%s_price', number)) is not null;

-- An older release makes generations of its own in a rollout and after going back, and notes nothing of what it
-- writes to them. Nobody holds one in memory before it answers: from then on its writes are noted.
create function note_live_generation() returns trigger language plpgsql as $$
declare
  offers regclass := to_regclass(format('search.g%s_offer', new.generation));
begin
  -- Typesense has its generations elsewhere.
  if offers is null or exists (select from pg_trigger where tgrelid = offers and tgname = 'noted_insert') then
    return null;
  end if;
  -- As every writer does: one that has prices written and goes on to offers would wait for this in a circle.
  perform pg_advisory_xact_lock(hashtextextended('writers:search', 0));
  if not exists (select from pg_trigger where tgrelid = offers and tgname = 'noted_insert') then
    perform search.note_generation(new.generation);
  end if;
  return null;
end
$$;

create trigger noted_live after insert or update on live_generation
  for each row execute function note_live_generation();

-- One that an older release has made since generations are noted.
update live_generation set generation = generation;

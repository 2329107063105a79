-- A generation that no longer answers and is no longer built takes no writes. Its row stays until the engine
-- has dropped it, so that a process that dies in between leaves nothing behind that could still be asked.
alter table generation add column is_retired boolean not null default false;

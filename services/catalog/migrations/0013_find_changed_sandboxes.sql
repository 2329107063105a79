-- no transaction
create index concurrently sandbox_by_change on catalog.sandbox (changed_at);

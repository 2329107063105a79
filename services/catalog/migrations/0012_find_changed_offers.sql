-- no transaction
create index concurrently offer_by_change on catalog.offer (changed_at);

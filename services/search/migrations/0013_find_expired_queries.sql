-- no transaction
create index concurrently saved_query_by_last_use on search.saved_query (last_used_on);

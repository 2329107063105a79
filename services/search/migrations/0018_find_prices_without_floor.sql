-- no transaction
create index concurrently source_price_without_floor on search.source_price (offer_id)
  where prices @? 'strict $.* ? (@.size() < 5 || @[4] == null)';

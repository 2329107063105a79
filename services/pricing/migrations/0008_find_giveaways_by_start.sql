-- no transaction
create index concurrently giveaway_by_start on pricing.giveaway (start_date);

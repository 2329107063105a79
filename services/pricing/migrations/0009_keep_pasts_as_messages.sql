-- contract: no longer read since 0.2.0
-- A past is kept in the form in which it is told, so that reads pass it through. No release has the column that goes.
-- Those that are there are left to the history, as those are that a release without the table leaves behind.
truncate price_past;

-- A serialized storefront.pricing.v1.PricePast.
alter table price_past drop column past, add column message bytea not null;

-- The count that 0005 began with may lack the items of a writer that was at it: release 0.1.0 applied migrations without
-- the writers' lock. Counted again under it, so that it is right whatever is on its way.
update catalog.item_count set count = (select count(*) from catalog.item);

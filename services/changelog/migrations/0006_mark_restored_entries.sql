-- True of entries that an export gave: whatever their ids say, they are of writes that the catalog's log here does not
-- have. Null of all others.
alter table entry add column is_restored boolean;

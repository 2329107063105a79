-- The identity of a record where `key` has its digest, since an entry of an index holds 2,704 bytes and an
-- identity up to 3,074; null where `key` is the identity itself.
alter table subject add column full_key text collate "C";

-- Records that a snapshot of an owner had, while search is made to agree with it. A digest is the SHA-256 of kind
-- and identity.
create table snapshot_key (
  feed text not null,
  digest bytea not null,
  primary key (feed, digest)
);

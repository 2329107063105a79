-- What the embedder learned is large and seldom changes: a number tells whether it is still the same.

create sequence training;
alter table generation
  add column training bigint not null default 0,
  -- Offers that it was learned from.
  add column trained_offers int not null default 0;

create index embedding_queue_by_version on embedding_queue (version);

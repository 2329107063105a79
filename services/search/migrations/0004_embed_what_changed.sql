-- Only an offer whose text has changed is embedded again, and an embedder that learns from the catalogue
-- learns beside the vectors that answer.

alter table source_offer
  -- SHA-256 of the text that is embedded; null until it is known.
  add column text_digest bytea;

alter table generation
  -- Of the two sets of vectors the one that answers; the other is filled with those of the next training.
  add column vector_set smallint not null default 0,
  add column next_training bigint,
  add column next_trained bytea,
  add column next_trained_offers int;

-- Rises with every vector that is written or forgotten. Writers take turns, so versions become visible in
-- their order, by which whoever holds vectors in memory reads on.
create sequence vector_version;

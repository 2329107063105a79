-- What is to be embedded: for each kind of vectors the offers that lack theirs. Whoever embeds some claims them
-- first, so that each text is embedded by one process. Takes the place of embedding_queue, which release 0.2.0
-- writes: what that leaves is taken over from there.
create table embedding_task (
  -- Of the generations that have vectors of the kind, and of the training: 0 where nothing is learned.
  signature text not null,
  training bigint not null,
  offer_id text collate "C" not null,
  -- Rises with every change of the text, so that a late vector is known to be stale.
  version bigint not null,
  -- Who embeds it, and until when nobody else does; null when nobody is at it.
  holder uuid,
  claimed_until timestamptz,
  -- How often it could not be embedded although nothing else was with it, and when it may be tried again.
  failures int not null default 0,
  retry_at timestamptz,
  primary key (signature, training, offer_id)
);
-- What has failed comes after all that has not.
create index embedding_task_by_turn on embedding_task (signature, training, (failures > 0), version);
create index embedding_task_by_offer on embedding_task (offer_id);

alter table source_offer
  -- Of the queue when the text became what it is; null when that was before there were such numbers.
  add column text_version bigint;

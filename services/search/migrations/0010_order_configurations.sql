-- Engines, formats and embedding models that an index was asked for, so that of two that are asked for at
-- once the newer one is known.
create sequence index_configuration_number;
create table index_configuration (
  signature text collate "C" primary key,
  -- Rises with every one that is asked for anew.
  number bigint not null
);
insert into index_configuration (signature, number)
select signature, nextval('search.index_configuration_number')
from (select distinct signature from search.generation where is_live) as answering;

-- Processes of the search, each with what it asks for.
create table index_replica (
  -- Host, process and a part of its own.
  replica text primary key,
  signature text collate "C" not null,
  -- Every five minutes at least; a row without it for long is of a process that was killed.
  seen_at timestamptz not null default clock_timestamp()
);

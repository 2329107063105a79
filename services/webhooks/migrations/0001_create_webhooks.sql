create table endpoint (
  id uuid primary key,
  url text not null,
  -- `whsec_` and base64: HMAC needs the secret, so no hash of it can be stored instead.
  secret text not null,
  -- Signs too until then.
  previous_secret text,
  previous_secret_until timestamptz,
  -- entry, price, query
  events text[] not null,
  -- Of the event query.
  query_id text,
  country text,
  -- Pricing region of the country: price changes of other ones are not delivered; null delivers all.
  region text,
  -- Streams of the gateway that these need, as in `source`.
  sources text[] not null,
  description text not null default '',
  is_active boolean not null default true,
  -- Why deliveries stopped; null where a caller paused it.
  paused_reason text,
  -- First failure since the last success.
  failing_since timestamptz,
  created_at timestamptz not null default now()
);

create table source (
  -- Of a stream of the gateway, with its query.
  path text collate "C" primary key,
  -- Id of the last event that was stored; null begins with the next one.
  cursor text,
  holder text,
  lease_expires_at timestamptz not null default '-infinity'
);

create table event (
  -- In the order of each stream.
  id int8 generated always as identity primary key,
  type text not null,
  record_key text collate "C" not null,
  region text,
  -- The same bytes for each attempt and each endpoint.
  body text not null,
  created_at timestamptz not null default now()
);

create table delivery (
  -- `webhook-id`.
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references endpoint on delete cascade,
  event_id int8 not null references event,
  record_key text collate "C" not null,
  -- pending, delivered, failed
  status text not null default 'pending',
  attempts int4 not null default 0,
  response_status int4,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  -- Fencing token of the attempt.
  claim int4 not null default 0,
  claimed_until timestamptz not null default '-infinity',
  unique (endpoint_id, event_id)
);
create index delivery_pending on delivery (endpoint_id, record_key, event_id) where status = 'pending';
create index delivery_due on delivery (endpoint_id, event_id) where status = 'pending';
create index delivery_of_event on delivery (event_id);

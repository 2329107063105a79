import { Lease, whileRenewing } from "@storefront/database";
import type { Database } from "@storefront/database";
import type { Logger } from "@storefront/process";
import { webhookEventOf } from "../domain/webhook-event.ts";
import { readEventStream, StreamNotFoundError } from "./read-event-stream.ts";
import type { EventBlock } from "./read-event-stream.ts";

/** Time for which the lease of a killed process excludes others from its streams, in milliseconds. */
const leaseMs = 15_000;

/** How often a lease is renewed, in milliseconds. */
const renewMs = 5000;

/** Common options of the followers of a process. */
export interface FollowerOptions {
  database: Database;
  gatewayUrl: string;
  /** Identifies the process. */
  holder: string;
  logger: Logger;
  /** Called when deliveries have been stored. */
  onStored: () => void;
}

/**
 * Stores the deliveries of a stream's events in the transaction that moves its cursor: each event once, in order.
 *
 * @param signal ends it
 * @returns once the stream ends or the lease is lost; at once while another process has the lease
 */
export async function followSource(
  path: string,
  options: FollowerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { database, gatewayUrl, holder, logger } = options;
  const lease = new Lease({
    table: "webhooks.source",
    keyColumn: "path",
    key: path,
    holder,
    expiryColumn: "lease_expires_at",
    durationMs: leaseMs,
  });
  if (!(await lease.take(database))) return;
  const lost = new AbortController();
  const ended = AbortSignal.any([signal, lost.signal]);
  const renew = async () => {
    // The lease ends at its expiry; the transactions that write check it.
    const isHeld = await lease.renew(database).catch(() => true);
    if (!isHeld) lost.abort();
  };
  let cursor: string | null = null;
  try {
    await whileRenewing(renew, renewMs, async () => {
      const row = await database.readOne<{ cursor: string | null }>(
        "select cursor from webhooks.source where path = $1",
        [path],
      );
      cursor = row?.cursor ?? null;
      for await (const blocks of readEventStream(gatewayUrl + path, cursor, ended)) {
        if (!(await storeBlocks(path, blocks, lease, options))) return;
      }
    });
  } catch (error) {
    if (signal.aborted) return;
    // Without a cursor there is no lost history: the query no longer exists.
    if (!(error instanceof StreamNotFoundError) || cursor === null) throw error;
    // As for every client: what followed the cursor is lost, and the stream begins again.
    logger.error(
      { err: error, source: path },
      "the stream of webhooks restarts with its next event",
    );
    await lease.renew(database, ", cursor = null");
  } finally {
    await lease.release(database);
  }
}

/** @returns false when the lease is lost, and nothing was stored */
async function storeBlocks(
  path: string,
  blocks: readonly EventBlock[],
  lease: Lease,
  { database, onStored }: FollowerOptions,
): Promise<boolean> {
  const storedAt = new Date();
  const events = blocks.flatMap(({ data }) =>
    data === undefined ? [] : [webhookEventOf(path, data, storedAt)],
  );
  const isStored = await database.transaction(async (tx) => {
    if (!(await lease.renew(tx, ", cursor = $3", [blocks.at(-1)?.id]))) return false;
    if (events.length === 0) return true;
    await tx.write(
      `with new_event as (
         insert into webhooks.event (type, record_key, region, body)
         select type, record_key, region, body
         from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
           as given (type, record_key, region, body, position)
         order by position
         returning id, record_key, region
       )
       insert into webhooks.delivery (endpoint_id, event_id, record_key)
       select e.id, n.id, n.record_key from new_event n join webhooks.endpoint e
         on $1 = any(e.sources) and (e.region is null or n.region is null or e.region = n.region)`,
      [
        path,
        events.map(({ type }) => type),
        events.map(({ recordKey }) => recordKey),
        events.map(({ region }) => region ?? null),
        events.map(({ body }) => body),
      ],
    );
    return true;
  });
  if (isStored && events.length > 0) onStored();
  return isStored;
}

import type { Database } from "@storefront/database";
import { randomUUID } from "node:crypto";
import { nextAttemptAt } from "../domain/retry-schedule.ts";
import { testEventOf } from "../domain/webhook-event.ts";
import { pauseEndpoint } from "./endpoint-store.ts";

/** Requests at a time to an endpoint, and to one whose last request failed. */
const attemptsAtOnce = { healthy: 8, failing: 1 };

/** How long a claim excludes other processes: longer than any request, in seconds. */
const claimSeconds = 30;

/** How long deliveries of a paused endpoint wait, and how long completed ones can be repeated, in days. */
const storedDays = 3;

/** An attempt of this process. */
export interface ClaimedDelivery {
  /** `webhook-id`. */
  id: string;
  endpointId: string;
  url: string;
  body: string;
  /** The current one first. */
  secrets: string[];
  /** Fencing token. */
  claim: number;
  /** Attempts that failed. */
  attempts: number;
  firstAttemptAt: Date;
}

/** A delivery, as listed. */
export interface Delivery {
  id: string;
  type: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  responseStatus: number | null;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date;
}

const selectDeliveries = `
  select d.id, v.type, d.status, d.attempts, d.response_status as "responseStatus",
    d.last_attempt_at as "lastAttemptAt", d.next_attempt_at as "nextAttemptAt"
  from webhooks.delivery d join webhooks.event v on v.id = d.event_id`;

/**
 * Claims due deliveries, of each record only its first pending event. Concurrent claims skip each other's rows, and a
 * process that was killed loses its claims by their expiry.
 */
const claimDue = {
  name: "webhooks.claimDue",
  text: `
    with due as (
      select d.id from webhooks.endpoint e
      cross join lateral (
        select count(*) as attempts from webhooks.delivery r
        where r.endpoint_id = e.id and r.status = 'pending' and r.claimed_until > clock_timestamp()
      ) as running
      cross join lateral (
        select p.id from webhooks.delivery p
        where p.endpoint_id = e.id and p.status = 'pending'
          and p.next_attempt_at <= clock_timestamp() and p.claimed_until <= clock_timestamp()
          and not exists (
            select from webhooks.delivery b
            where b.endpoint_id = p.endpoint_id and b.record_key = p.record_key
              and b.status = 'pending' and b.event_id < p.event_id
          )
        order by p.event_id
        limit greatest(0, case when e.failing_since is null
          then ${attemptsAtOnce.healthy} else ${attemptsAtOnce.failing} end - running.attempts)
        for update skip locked
      ) as d
      where e.is_active
    )
    update webhooks.delivery d
    set claim = d.claim + 1, first_attempt_at = coalesce(d.first_attempt_at, clock_timestamp()),
      claimed_until = clock_timestamp() + make_interval(secs => ${claimSeconds})
    from due, webhooks.endpoint e, webhooks.event v
    where d.id = due.id and e.id = d.endpoint_id and v.id = d.event_id
    returning d.id, d.endpoint_id as "endpointId", e.url, v.body, d.claim, d.attempts,
      d.first_attempt_at as "firstAttemptAt",
      case when e.previous_secret_until > clock_timestamp()
        then array[e.secret, e.previous_secret] else array[e.secret] end as secrets`,
  isPlannedEachTime: true,
};

/** The queue of each endpoint. */
export class DeliveryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(): Promise<ClaimedDelivery[]> {
    return (await this.#database.write<ClaimedDelivery>(claimDue)).rows;
  }

  /** Records a 2xx response, unless the claim has expired and another process has the delivery. */
  async complete({ id, endpointId, claim }: ClaimedDelivery, status: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.write(
        "update webhooks.endpoint set failing_since = null where id = $1 and failing_since is not null",
        [endpointId],
      );
      await tx.write(
        `update webhooks.delivery set status = 'delivered', response_status = $3,
           attempts = attempts + 1, last_attempt_at = clock_timestamp(), claimed_until = '-infinity'
         where id = $1 and claim = $2 and status = 'pending'`,
        [id, claim, status],
      );
    });
  }

  /**
   * Records a failed attempt. The one that ends the schedule fails the delivery and pauses the endpoint.
   *
   * @returns whether the endpoint has been paused
   */
  async fail(delivery: ClaimedDelivery, status: number | undefined): Promise<boolean> {
    const { id, endpointId, claim, attempts, firstAttemptAt } = delivery;
    const next = nextAttemptAt(attempts + 1, firstAttemptAt, new Date());
    return await this.#database.transaction(async (tx) => {
      // Before its delivery, in the lock order of a deletion.
      await tx.write("select from webhooks.endpoint where id = $1 for no key update", [endpointId]);
      const { rowCount } = await tx.write(
        `update webhooks.delivery set status = case when $4::timestamptz is null then 'failed' else status end,
           response_status = $3, attempts = attempts + 1, last_attempt_at = clock_timestamp(),
           next_attempt_at = coalesce($4, next_attempt_at), claimed_until = '-infinity'
         where id = $1 and claim = $2 and status = 'pending'`,
        [id, claim, status ?? null, next ?? null],
      );
      if (rowCount === 0) return false;
      await tx.write(
        `update webhooks.endpoint set failing_since = clock_timestamp()
         where id = $1 and failing_since is null`,
        [endpointId],
      );
      if (next !== undefined) return false;
      await pauseEndpoint(tx, endpointId, `A delivery failed for ${storedDays} days.`);
      return true;
    });
  }

  /** Releases claims of attempts that were cut off, so that they are repeated at once. */
  async release({ id, claim }: ClaimedDelivery): Promise<void> {
    await this.#database.write(
      "update webhooks.delivery set claimed_until = '-infinity' where id = $1 and claim = $2",
      [id, claim],
    );
  }

  /** Repeats a completed delivery, with its `webhook-id`. @returns the delivery, also one that is pending already */
  async redeliver(endpointId: string, id: string): Promise<Delivery | undefined> {
    return await this.#database.transaction(async (tx) => {
      await tx.write(
        `update webhooks.delivery set status = 'pending', attempts = 0, first_attempt_at = null,
           next_attempt_at = clock_timestamp()
         where id = $1 and endpoint_id = $2 and status <> 'pending'`,
        [id, endpointId],
      );
      return await tx.readOne(`${selectDeliveries} where d.id = $1 and d.endpoint_id = $2`, [
        id,
        endpointId,
      ]);
    });
  }

  /** Stores a delivery of `webhook.test`. @returns undefined where there is no such endpoint */
  async createTest(endpointId: string): Promise<Delivery | undefined> {
    const deliveryId = randomUUID();
    const { type, recordKey, body } = testEventOf(endpointId, deliveryId, new Date());
    return await this.#database.transaction(async (tx) => {
      // So that it is not deleted meanwhile.
      const { rowCount } = await tx.write(
        "select from webhooks.endpoint where id = $1 for key share",
        [endpointId],
      );
      if (rowCount === 0) return undefined;
      await tx.write(
        `with new_event as (
           insert into webhooks.event (type, record_key, body) values ($3, $4, $5) returning id
         )
         insert into webhooks.delivery (id, endpoint_id, event_id, record_key)
         select $1, $2, id, $4 from new_event`,
        [deliveryId, endpointId, type, recordKey, body],
      );
      return await tx.readOne(`${selectDeliveries} where d.id = $1`, [deliveryId]);
    });
  }

  /**
   * Deliveries of an endpoint, newest first.
   *
   * @param after id of the delivery before them; default none
   * @returns undefined where there is no delivery `after`
   */
  async list(
    endpointId: string,
    { limit, after }: { limit: number; after?: string | undefined },
  ): Promise<Delivery[] | undefined> {
    const position =
      after === undefined
        ? undefined
        : await this.#database.readOne<{ event_id: bigint }>(
            "select event_id from webhooks.delivery where id = $1 and endpoint_id = $2",
            [after, endpointId],
          );
    if (after !== undefined && position === undefined) return undefined;
    return await this.#database.read(
      `${selectDeliveries} where d.endpoint_id = $1 and ($2::int8 is null or d.event_id < $2)
       order by d.event_id desc limit $3`,
      [endpointId, position?.event_id ?? null, limit],
    );
  }

  /** Deletes old deliveries, events without deliveries, and secrets that no longer sign. */
  async prune(): Promise<void> {
    const before = `clock_timestamp() - make_interval(days => ${storedDays})`;
    await this.#database.write(
      `delete from webhooks.delivery d using webhooks.endpoint e
       where e.id = d.endpoint_id and case when d.status = 'pending'
         then not e.is_active and d.next_attempt_at < ${before} else d.last_attempt_at < ${before} end`,
    );
    await this.#database.write(
      `delete from webhooks.event v where v.created_at < ${before}
         and not exists (select from webhooks.delivery d where d.event_id = v.id)`,
    );
    await this.#database.write(
      `update webhooks.endpoint set previous_secret = null, previous_secret_until = null
       where previous_secret_until < clock_timestamp()`,
    );
  }
}

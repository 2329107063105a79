import type { Database, Queryable, Transaction } from "@storefront/database";
import { randomUUID } from "node:crypto";
import { createSecret } from "../domain/signature.ts";
import { sourcesOf } from "../domain/webhook-event.ts";
import type { EventName, Subscription } from "../domain/webhook-event.ts";

/** Most endpoints at a time. */
export const endpointsMax = 10_000;

/** How long the secret before a rotation signs too, in hours. */
const rotationHours = 24;

export interface NewEndpoint extends Subscription {
  url: string;
  /** Of price changes; undefined delivers those of all regions. */
  region?: string | undefined;
  /** For people; default none. */
  description?: string | undefined;
}

/** A receiver of webhooks, without its secret. */
export interface Endpoint {
  id: string;
  url: string;
  events: EventName[];
  queryId: string | null;
  country: string | null;
  description: string;
  isActive: boolean;
  /** Null while it is active, and where a caller paused it. */
  pausedReason: string | null;
  failingSince: Date | null;
  createdAt: Date;
}

/** Changes of an endpoint. */
export interface EndpointChanges {
  isActive?: boolean | undefined;
  url?: string | undefined;
  description?: string | undefined;
}

const columns = `id, url, events, query_id as "queryId", country, description,
  is_active as "isActive", paused_reason as "pausedReason", failing_since as "failingSince",
  created_at as "createdAt"`;

/** The receivers of webhooks, and the streams that they need. */
export class EndpointStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Creates an endpoint; it receives the events of its streams from now on.
   *
   * @returns undefined when there are {@link endpointsMax}
   */
  async create(given: NewEndpoint): Promise<{ endpoint: Endpoint; secret: string } | undefined> {
    const { url, events, queryId, country, region, description = "" } = given;
    const [sources, secret] = [sourcesOf(given), createSecret()];
    return await this.#database.transaction(async (tx) => {
      // No other endpoint is created or deleted meanwhile: the count is right, and the streams stay.
      await tx.write("lock table webhooks.endpoint in share row exclusive mode");
      const { rows } = await tx.write<Endpoint>(
        `insert into webhooks.endpoint
           (id, url, secret, events, query_id, country, region, sources, description)
         select $1, $2, $3, $4::text[], $5, $6, $7, $8::text[], $9
         where (select count(*) from webhooks.endpoint) < $10
         returning ${columns}`,
        [
          randomUUID(),
          url,
          secret,
          events,
          queryId ?? null,
          country ?? null,
          region ?? null,
          sources,
          description,
          endpointsMax,
        ],
      );
      const [endpoint] = rows;
      if (endpoint === undefined) return undefined;
      await tx.write(
        "insert into webhooks.source (path) select unnest($1::text[]) on conflict do nothing",
        [sources],
      );
      return { endpoint, secret };
    });
  }

  /** All, oldest first. */
  async list(): Promise<Endpoint[]> {
    return await this.#database.read(
      `select ${columns} from webhooks.endpoint order by created_at, id`,
    );
  }

  async find(id: string): Promise<Endpoint | undefined> {
    return await this.#database.readOne(`select ${columns} from webhooks.endpoint where id = $1`, [
      id,
    ]);
  }

  /** Replaces the secret; the previous one signs too for a day. Undefined where there is no such endpoint. */
  async rotateSecret(id: string): Promise<string | undefined> {
    const secret = createSecret();
    const { rowCount } = await this.#database.write(
      `update webhooks.endpoint set previous_secret = secret, secret = $2,
         previous_secret_until = clock_timestamp() + make_interval(hours => $3)
       where id = $1`,
      [id, secret, rotationHours],
    );
    return rowCount === 0 ? undefined : secret;
  }

  /** Deletes an endpoint with its deliveries, and the streams that only it needed. @returns whether there was one */
  async delete(id: string): Promise<boolean> {
    return await this.#database.transaction(async (tx) => {
      // In the order of the followers: a stream, then its endpoints.
      await tx.write(
        `select from webhooks.source where path = any(
           (select sources from webhooks.endpoint where id = $1)::text[]) order by path for update`,
        [id],
      );
      const { rowCount } = await tx.write("delete from webhooks.endpoint where id = $1", [id]);
      await tx.write(
        `delete from webhooks.source s
         where not exists (select from webhooks.endpoint e where s.path = any(e.sources))`,
      );
      return rowCount === 1;
    });
  }

  /**
   * Changes an endpoint. Pending deliveries of a paused one that is made active are due at once.
   *
   * @returns undefined where there is none
   */
  async update(
    id: string,
    { isActive, url, description }: EndpointChanges,
  ): Promise<Endpoint | undefined> {
    return await this.#database.transaction(async (tx) => {
      if (isActive === true) await resume(tx, id);
      if (isActive === false) await pauseEndpoint(tx, id, null);
      const { rows } = await tx.write<Endpoint>(
        `update webhooks.endpoint set url = coalesce($2, url), description = coalesce($3, description)
         where id = $1 returning ${columns}`,
        [id, url ?? null, description ?? null],
      );
      return rows[0];
    });
  }
}

async function resume(tx: Transaction, id: string): Promise<void> {
  const { rowCount } = await tx.write(
    `update webhooks.endpoint set is_active = true, paused_reason = null, failing_since = null
     where id = $1 and not is_active`,
    [id],
  );
  if (rowCount === 0) return;
  // Retried for its full time again.
  await tx.write(
    `update webhooks.delivery set next_attempt_at = clock_timestamp(), first_attempt_at = null
     where endpoint_id = $1 and status = 'pending'`,
    [id],
  );
}

/** @param reason null where a caller pauses it; the reason of an endpoint that is paused already stays */
export async function pauseEndpoint(
  queryable: Queryable,
  id: string,
  reason: string | null,
): Promise<void> {
  await queryable.write(
    `update webhooks.endpoint set is_active = false, paused_reason = $2 where id = $1 and is_active`,
    [id, reason],
  );
}

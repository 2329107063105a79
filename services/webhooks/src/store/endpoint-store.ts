import type { Database, Queryable } from "@storefront/database";
import { randomUUID } from "node:crypto";
import { createSecret } from "../domain/signature.ts";

/** How long the secret before a rotation signs too, in hours. */
const rotationHours = 24;

export interface NewEndpoint {
  url: string;
  /** Streams of the gateway, with their queries. */
  sources: readonly string[];
  /** Of price changes; undefined delivers those of all regions. */
  region?: string | undefined;
}

/** The receivers of webhooks, and the streams that they need. */
export class EndpointStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Creates an endpoint; it receives what its streams report from now on. */
  async create({ url, sources, region }: NewEndpoint): Promise<{ id: string; secret: string }> {
    const [id, secret] = [randomUUID(), createSecret()];
    await this.#database.transaction(async (tx) => {
      await tx.write(
        "insert into webhooks.source (path) select unnest($1::text[]) on conflict do nothing",
        [sources],
      );
      await tx.write(
        `insert into webhooks.endpoint (id, url, secret, sources, region)
         values ($1, $2, $3, $4, $5)`,
        [id, url, secret, sources, region ?? null],
      );
    });
    return { id, secret };
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
      const { rowCount } = await tx.write("delete from webhooks.endpoint where id = $1", [id]);
      await tx.write(
        `delete from webhooks.source s
         where not exists (select from webhooks.endpoint e where s.path = any(e.sources))`,
      );
      return rowCount === 1;
    });
  }

  /** Resumes an endpoint: what is pending is due at once. */
  async resume(id: string): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.write(
        `update webhooks.endpoint set is_active = true, paused_reason = null, failing_since = null
         where id = $1`,
        [id],
      );
      await tx.write(
        `update webhooks.delivery set next_attempt_at = clock_timestamp()
         where endpoint_id = $1 and status = 'pending'`,
        [id],
      );
    });
  }

  async pause(id: string): Promise<void> {
    await pauseEndpoint(this.#database, id, null);
  }
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

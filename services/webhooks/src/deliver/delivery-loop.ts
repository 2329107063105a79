import type { Database } from "@storefront/database";
import type { Logger } from "@storefront/process";
import type { AddressGuard } from "../domain/address-guard.ts";
import { signatureHeaders } from "../domain/signature.ts";
import type { DeliveryMetrics } from "../metrics.ts";
import { DeliveryStore } from "../store/delivery-store.ts";
import type { ClaimedDelivery } from "../store/delivery-store.ts";
import { WebhookClient } from "./webhook-client.ts";

/** Interval of checks for retries, and for deliveries of other processes, in milliseconds. */
const pollMs = 1000;

/** Interval of the deletion of old deliveries, in milliseconds. */
const pruneMs = 3_600_000;

interface DeliveryLoopOptions {
  database: Database;
  guard: AddressGuard;
  logger: Logger;
  metrics: DeliveryMetrics | undefined;
}

/** Sends due deliveries to endpoints, which do not wait for each other. */
export class DeliveryLoop {
  readonly #database: Database;
  readonly #store: DeliveryStore;
  readonly #client: WebhookClient;
  readonly #logger: Logger;
  readonly #metrics: DeliveryMetrics | undefined;
  readonly #closed = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  #wake = new AbortController();
  #running: Promise<void> | undefined;

  constructor({ database, guard, logger, metrics }: DeliveryLoopOptions) {
    this.#database = database;
    this.#store = new DeliveryStore(database);
    this.#client = new WebhookClient(guard);
    this.#logger = logger;
    this.#metrics = metrics;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Reports that deliveries may be due. */
  wake(): void {
    this.#wake.abort();
  }

  /** Cuts off the requests in progress, which are repeated by the next process. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running;
    await Promise.all(this.#attempts);
    this.#client.close();
  }

  async #run(): Promise<void> {
    let prunedAt = -Infinity;
    let isFailing = false;
    while (!this.#closed.signal.aborted) {
      this.#wake = new AbortController();
      if (performance.now() - prunedAt >= pruneMs) {
        prunedAt = performance.now();
        await this.#prune();
      }
      try {
        for (const delivery of await this.#store.claim()) this.#begin(delivery);
        isFailing = false;
      } catch (error) {
        // Once, not with each poll.
        const level = isFailing ? "debug" : "warn";
        this.#logger[level]({ err: error }, "webhooks that are due could not be read");
        isFailing = true;
      }
      await this.#database.polling.untilNextPoll(
        pollMs,
        AbortSignal.any([this.#closed.signal, this.#wake.signal]),
      );
    }
  }

  /** A failure does not delay deliveries. */
  async #prune(): Promise<void> {
    try {
      await this.#store.prune();
    } catch (error) {
      this.#logger.warn({ err: error }, "old webhooks could not be deleted");
    }
  }

  #begin(delivery: ClaimedDelivery): void {
    const attempt = this.#attempt(delivery)
      // The claim expires, and the delivery is repeated.
      .catch((error: unknown) => {
        this.#logger.warn({ err: error, delivery: delivery.id }, "an attempt was not recorded");
      })
      .finally(() => {
        this.#attempts.delete(attempt);
        this.wake();
      });
    this.#attempts.add(attempt);
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { id, endpointId, url, body, secrets } = delivery;
    const headers = signatureHeaders({ id, sentAt: new Date(), body }, secrets);
    const result = await this.#client.post(url, headers, body, this.#closed.signal);
    const { status } = result;
    if (status !== undefined && status >= 200 && status < 300) {
      await this.#store.complete(delivery, status);
      this.#metrics?.count("delivered");
      return;
    }
    if (status === undefined && this.#closed.signal.aborted) {
      await this.#store.release(delivery);
      return;
    }
    const reason = status === undefined ? result.reason : `status ${status}`;
    this.#logger.debug({ endpoint: endpointId, delivery: id, reason }, "a webhook failed");
    const isLast = await this.#store.fail(delivery, status);
    this.#metrics?.count(isLast ? "failed" : "retried");
    if (isLast) {
      this.#logger.warn({ endpoint: endpointId, reason }, "the endpoint of a webhook is paused");
    }
  }
}

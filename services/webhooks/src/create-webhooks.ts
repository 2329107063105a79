import type { Database } from "@storefront/database";
import type { Logger, Metrics } from "@storefront/process";
import { randomUUID } from "node:crypto";
import { DeliveryLoop } from "./deliver/delivery-loop.ts";
import { createAddressGuard } from "./domain/address-guard.ts";
import type { AddressGuard } from "./domain/address-guard.ts";
import { followSource } from "./follow/source-follower.ts";
import { DeliveryMetrics, reportWebhooks } from "./metrics.ts";

/** Interval of checks for streams that no process follows, in milliseconds. */
const pollMs = 1000;

/** A stream that breaks again sooner, such as that of a gateway that is unavailable, is not logged again. In milliseconds. */
const repeatedMs = 60_000;

export const webhooksMigrations = {
  schema: "webhooks",
  directory: new URL("../migrations", import.meta.url),
};

export interface WebhooksOptions {
  /** Migrated. */
  database: Database;
  /** Base URL of the gateway. */
  gatewayUrl: string;
  /** Networks that endpoints may be in besides public ones, also by http. */
  allowedNetworks: readonly string[];
  logger: Logger;
  /** Default nowhere. */
  metrics?: Metrics | undefined;
}

/** Follows the gateway's streams that endpoints need, and delivers their events. */
export class Webhooks {
  /** Decides which addresses webhooks are sent to. */
  readonly guard: AddressGuard;
  readonly #options: WebhooksOptions;
  readonly #deliveries: DeliveryLoop;
  readonly #closed = new AbortController();
  readonly #holder = randomUUID();
  readonly #followed = new Map<string, Promise<void>>();
  readonly #broken = new Set<string>();
  #wake = new AbortController();
  #running: Promise<void> | undefined;

  /** @throws RangeError with an invalid network */
  constructor(options: WebhooksOptions) {
    const { database, allowedNetworks, logger, metrics } = options;
    this.#options = options;
    this.guard = createAddressGuard(allowedNetworks);
    this.#deliveries = new DeliveryLoop({
      database,
      guard: this.guard,
      logger,
      metrics: metrics && new DeliveryMetrics(metrics),
    });
    if (metrics !== undefined) reportWebhooks(metrics, database);
  }

  start(): void {
    this.#deliveries.start();
    this.#running ??= this.#run();
  }

  /** Reports that deliveries may have become due, or that an endpoint may need another stream. */
  wake(): void {
    this.#wake.abort();
    this.#deliveries.wake();
  }

  /** Ends after the transactions in progress; requests are cut off and repeated by the next process. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running;
    await Promise.all(this.#followed.values());
    await this.#deliveries.close();
  }

  async #run(): Promise<void> {
    const { database, logger } = this.#options;
    let isFailing = false;
    while (!this.#closed.signal.aborted) {
      this.#wake = new AbortController();
      try {
        const sources = await database.read<{ path: string }>("select path from webhooks.source");
        for (const { path } of sources) this.#follow(path);
        isFailing = false;
      } catch (error) {
        // Once, not with each poll.
        logger[isFailing ? "debug" : "warn"](
          { err: error },
          "the streams of webhooks could not be read",
        );
        isFailing = true;
      }
      await database.polling.untilNextPoll(
        pollMs,
        AbortSignal.any([this.#closed.signal, this.#wake.signal]),
      );
    }
  }

  #follow(path: string): void {
    if (this.#followed.has(path)) return;
    const { database, gatewayUrl, logger } = this.#options;
    const options = {
      database,
      gatewayUrl,
      holder: this.#holder,
      logger,
      onStored: () => this.#deliveries.wake(),
    };
    const beganAtMs = performance.now();
    const following = followSource(path, options, this.#closed.signal)
      .then(() => void this.#broken.delete(path))
      .catch((error: unknown) => {
        const isRepeated = this.#broken.has(path) && performance.now() - beganAtMs < repeatedMs;
        this.#broken.add(path);
        logger[isRepeated ? "debug" : "warn"](
          { err: error, source: path },
          "a stream of webhooks broke and is resumed",
        );
      })
      .finally(() => this.#followed.delete(path));
    this.#followed.set(path, following);
  }
}

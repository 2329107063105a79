import { vi } from "vitest";
import { z } from "zod";

const zAlerts = z.object({
  data: z.object({
    alerts: z.array(
      z.object({ state: z.string(), labels: z.looseObject({ alertname: z.string() }) }),
    ),
  }),
});
const zValues = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** For each fault, and for its end, on processors that other tests use too. */
const waiting = { timeout: 120_000, interval: 500 };

/** The alerts of a Prometheus. */
export class AlertWatch {
  readonly #url: string;
  /** Seconds until each alert fired, by its name: those that were waited for. */
  readonly secondsToFire = new Map<string, number>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Names of the alerts that fire, sorted. */
  async firing(): Promise<string[]> {
    const { data } = zAlerts.parse(await this.#read("alerts"));
    const names = data.alerts
      .filter(({ state }) => state === "firing")
      .map(({ labels }) => labels.alertname);
    return [...new Set(names)].toSorted();
  }

  /** Values of a query. */
  async values(query: string): Promise<number[]> {
    const found = await this.#read(`query?query=${encodeURIComponent(query)}`);
    return zValues.parse(found).data.result.map(({ value }) => Number(value[1]));
  }

  /** Waits until each of these alerts has fired. Resolves with those that have not in time. */
  async untilFired(names: readonly string[]): Promise<string[]> {
    const beganMs = performance.now();
    const missing = new Set(names);
    return await untilEmpty(async () => {
      for (const name of await this.firing()) {
        if (!missing.delete(name)) continue;
        this.secondsToFire.set(name, Math.round((performance.now() - beganMs) / 100) / 10);
      }
      return [...missing];
    });
  }

  /**
   * Waits until each of these alerts has been clear once, not necessarily at the same time. Resolves with those that
   * have not in time.
   */
  async untilClear(names: readonly string[]): Promise<string[]> {
    const remaining = new Set(names);
    return await untilEmpty(async () => {
      const firing = new Set(await this.firing());
      for (const name of remaining) if (!firing.has(name)) remaining.delete(name);
      return [...remaining];
    });
  }

  async #read(path: string): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/v1/${path}`);
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  }
}

/** Waits until there are no names. Resolves with the last ones. */
async function untilEmpty(read: () => Promise<string[]>): Promise<string[]> {
  let names: string[] = [];
  const isEmpty = async () => (names = await read()).length === 0;
  // A caller compares the names, which say more than a timeout.
  await vi.waitUntil(isEmpty, waiting).catch((error: unknown) => {
    if (names.length === 0) throw error;
  });
  return names;
}

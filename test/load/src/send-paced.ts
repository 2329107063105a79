import { setTimeout as sleep } from "node:timers/promises";

/** How much is written. */
export interface Pace {
  writes: number;
  perSecond: number;
}

/** Sends batches of observations; the response to each has an outcome for each observation. */
export type SendBatches<Observation> = (
  batches: AsyncIterable<{ observations: Observation[] }>,
) => AsyncIterable<{ outcomes: readonly unknown[] }>;

/** Smaller than a bulk batch, during which followers pause. */
const batchMax = 40;

/**
 * Sends observations at an even rate, as a mirror does: one batch after the other, each with all that have become due,
 * so that the rate does not depend on how many batches the machine can handle.
 *
 * @param observationOf by its number
 * @param onCommitted called for each of them, in their order, when it is committed
 */
export async function sendPaced<Observation>(
  pace: Pace,
  observationOf: (number: number) => Observation,
  send: SendBatches<Observation>,
  onCommitted: () => void,
): Promise<void> {
  let acknowledged = Promise.withResolvers<void>();
  const untilAcknowledged = async () => {
    await acknowledged.promise;
    acknowledged = Promise.withResolvers();
  };
  for await (const { outcomes } of send(pacedBatches(pace, observationOf, untilAcknowledged))) {
    for (const _ of outcomes) onCommitted();
    acknowledged.resolve();
  }
}

async function* pacedBatches<Observation>(
  { writes, perSecond }: Pace,
  observationOf: (number: number) => Observation,
  untilAcknowledged: () => Promise<void>,
): AsyncGenerator<{ observations: Observation[] }> {
  const startedAtMs = performance.now();
  for (let sent = 0; sent < writes;) {
    const dueAtMs = startedAtMs + (sent * 1000) / perSecond;
    await sleep(Math.max(0, dueAtMs - performance.now()));
    const elapsedSeconds = (performance.now() - startedAtMs) / 1000;
    const due = Math.min(Math.max(Math.ceil(elapsedSeconds * perSecond), sent + 1), writes);
    const first = sent;
    const count = Math.min(due - sent, batchMax);
    sent += count;
    yield {
      observations: Array.from({ length: count }, (_none, index) => observationOf(first + index)),
    };
    await untilAcknowledged();
  }
}

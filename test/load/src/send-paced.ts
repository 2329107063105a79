import { setTimeout as sleep } from "node:timers/promises";

/** How much is written. */
export interface Pace {
  writes: number;
  perSecond: number;
}

/** Sends batches of observations, each of which gets an outcome for each of them. */
export type SendBatches<Observation> = (
  batches: AsyncIterable<{ observations: Observation[] }>,
) => AsyncIterable<{ outcomes: readonly unknown[] }>;

/** Fewer than an import's, for which the followers make room. */
const batchMax = 40;

/**
 * Sends observations at an even rate, as who mirrors changes sends them: one batch after the other, each with all
 * that have come meanwhile, so that the rate is kept by however many of them the machine can do.
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
  let answered = Promise.withResolvers<void>();
  const untilAnswered = async () => {
    await answered.promise;
    answered = Promise.withResolvers();
  };
  for await (const { outcomes } of send(pacedBatches(pace, observationOf, untilAnswered))) {
    for (const _ of outcomes) onCommitted();
    answered.resolve();
  }
}

async function* pacedBatches<Observation>(
  { writes, perSecond }: Pace,
  observationOf: (number: number) => Observation,
  untilAnswered: () => Promise<void>,
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
    await untilAnswered();
  }
}

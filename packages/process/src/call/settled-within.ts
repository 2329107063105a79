/** What is settled in time, in milliseconds; undefined when it is late. See below. */
export function settledWithin<Result>(
  limitMs: number,
  work: Promise<Result>,
): Promise<Result | undefined>;
/**
 * What is settled in time, in milliseconds; what `late` gives or throws when it is not. Fails as the work fails; work
 * that is late goes on, and its failure is ignored. What has come while the process was busy counts, also when
 * the limit has passed before it was read.
 */
export function settledWithin<Result, Late>(
  limitMs: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late>;
export async function settledWithin<Result, Late>(
  limitMs: number,
  work: Promise<Result>,
  late?: () => Late,
): Promise<unknown> {
  const limit = Promise.withResolvers<void>();
  let turnEnd: NodeJS.Immediate | undefined;
  // A turn of the event loop looks at timers first, then at what has come over the network, then at immediates.
  const timer = setTimeout(() => {
    turnEnd = setImmediate(limit.resolve);
  }, limitMs);
  try {
    return await Promise.race([work, limit.promise.then(late)]);
  } finally {
    clearTimeout(timer);
    clearImmediate(turnEnd);
  }
}

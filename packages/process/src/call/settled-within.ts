/** The result of work within a time in milliseconds; undefined when it is late. See below. */
export function settledWithin<Result>(
  limitMs: number,
  work: Promise<Result>,
): Promise<Result | undefined>;
/**
 * The result of work within a time in milliseconds; the result of `late` otherwise. Fails as the work fails; late
 * work continues, and its failure is ignored. A result that arrived while the process was busy counts, also when
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
  // A turn of the event loop runs timers first, then network events, then immediates.
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

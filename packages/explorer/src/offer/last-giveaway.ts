import type { Overview } from "../api/types.ts";

type Giveaway = Pick<Overview["giveaways"][number], "startDate">;

/**
 * The latest giveaway that has begun.
 *
 * @param giveaways newest first
 */
export function lastGiveawayOf<One extends Giveaway>(
  giveaways: readonly One[],
  nowMs: number,
): One | undefined {
  return giveaways.find(
    ({ startDate }) => startDate !== null && new Date(startDate).getTime() <= nowMs,
  );
}

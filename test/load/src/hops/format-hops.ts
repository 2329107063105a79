import type { HopCost } from "./measure-hops.ts";

/** The table of what a read is made of, for people. */
export function formatHops(hops: readonly HopCost[]): string {
  const lines = hops.map(({ hop, microseconds }) => `| ${hop} | ${microseconds.toFixed(1)} |`);
  return ["| hop of GET /offers/{id} | µs |", "|---|---|", ...lines, ""].join("\n");
}

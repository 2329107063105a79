import { setTimeout as sleep } from "node:timers/promises";
import type { TestStack } from "@storefront/testkit";

/** Each look is a process of its own, which takes a second of processor time from the followers. */
const lookMs = 15_000;

/** Resolves when the changelog and the search have applied all that was imported. */
export async function untilFollowed(
  stack: TestStack,
  report: (progress: string) => void,
): Promise<void> {
  for (let reported = ""; ;) {
    const { stdout } = await stack.cli(["doctor", "--json"]);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; finding?: string }[] };
    // The outbox has no log to be behind.
    const followings = checks.filter(
      ({ name }) => name.includes(" follows ") && !name.endsWith(" outbox"),
    );
    const late = followings.filter(({ finding }) => finding?.includes(", 0 behind") !== true);
    if (followings.length > 0 && late.length === 0) return;
    const text = late.map(({ name, finding }) => `${name}: ${finding?.split(",")[1]}`).join("; ");
    if (text !== reported) report(`${new Date().toISOString()} ${text}`);
    reported = text;
    await sleep(lookMs);
  }
}

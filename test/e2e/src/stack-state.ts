import type { TestStack } from "@storefront/testkit";
import { fetchDocumented } from "./fetch-documented.ts";

/** The number of items in a stack. */
export async function itemCount({ gatewayUrl }: TestStack): Promise<number> {
  const { body } = await fetchDocumented(`${gatewayUrl}/items`);
  return (JSON.parse(body) as { total: number }).total;
}

/** Whether a process has ended. */
export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

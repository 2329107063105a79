import { deepEqual } from "node:assert/strict";

/**
 * Compares two servers' responses to the same paths.
 *
 * @throws AssertionError naming the first path with different responses
 */
export async function checkSameAnswers(
  ourUrl: string,
  peerUrl: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const [ours, peers] = await Promise.all([bodyOf(ourUrl + path), bodyOf(peerUrl + path)]);
    deepEqual(peers, ours, `the peer's response to ${path} differs`);
  }
}

async function bodyOf(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return await response.json();
}

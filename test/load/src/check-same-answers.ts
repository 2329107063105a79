import { deepEqual } from "node:assert/strict";

/**
 * Asks two servers for the same paths.
 *
 * @throws AssertionError naming the first path with different responses
 */
export async function checkSameAnswers(
  ourUrl: string,
  peerUrl: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const [ours, peers] = await Promise.all([answerOf(ourUrl + path), answerOf(peerUrl + path)]);
    deepEqual(peers, ours, `the peer's answer to ${path} differs`);
  }
}

async function answerOf(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return await response.json();
}

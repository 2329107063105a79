import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { followerNames } from "@storefront/process";
import type { FollowerName } from "@storefront/process";
import { FollowerService, RebuildPhase } from "@storefront/contracts/feed/v1/follower_service";
import type { RebuildResponse } from "@storefront/contracts/feed/v1/follower_service";
import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { userErrorOf } from "../user-error.ts";

/** Longest retry of all entries of a service, in milliseconds: an hour. */
const retryTimeoutMs = 3_600_000;

/** A quarantined entry, of at most 100 of each feed. */
interface QuarantinedLine {
  readonly service: string;
  readonly feed: string;
  readonly sequence: string;
  readonly kind: string;
  readonly key: readonly string[];
  readonly error: string;
  readonly firstFailedAt: string | undefined;
}

/**
 * Lists the entries that the followers of feeds could not apply.
 *
 * @param isRetry whether they are retried first.
 * @returns the quarantined entries, and how many a retry applied.
 * @throws UserError when there is no stack, or a service does not respond.
 */
export async function runQuarantine(
  { isRetry }: { isRetry: boolean },
  context: CommandContext,
): Promise<{ applied: number; quarantined: readonly QuarantinedLine[] }> {
  await using connections = await createServiceConnections(context);
  const quarantined: QuarantinedLine[] = [];
  let applied = 0;
  for (const service of followerNames) {
    const transport = await connections.open(service);
    if (transport === undefined) continue;
    const client = createClient(FollowerService, transport);
    try {
      if (isRetry) {
        const { appliedCount } = await client.retryQuarantined({}, { timeoutMs: retryTimeoutMs });
        applied += Number(appliedCount);
      }
      const { feeds } = await client.describeFollowers({});
      for (const { feed, quarantined: entries } of feeds) {
        quarantined.push(
          ...entries.map(({ sequence, kind, key, error, firstFailedAt }) => ({
            service,
            feed,
            kind,
            key,
            error,
            sequence: String(sequence),
            firstFailedAt: firstFailedAt && timestampDate(firstFailedAt).toISOString(),
          })),
        );
      }
    } catch (error) {
      throw userErrorOf(`The ${service} service cannot be read`, error);
    }
  }
  return { applied, quarantined };
}

/**
 * Rebuilds what a service of a running stack derives from its feeds, and waits until it is done.
 *
 * @returns records in the new index; 0 without an index.
 * @throws UserError when there is no stack, or the rebuild was aborted.
 */
export async function runRebuild(
  service: FollowerName,
  context: CommandContext,
): Promise<{ service: string; indexed: number }> {
  await using connections = await createServiceConnections(context);
  const progress = context.terminal.progress({ label: "Rebuilding" });
  let last: RebuildResponse | undefined;
  try {
    const transport = await connections.open(service);
    if (transport === undefined) throw new Error(`this stack does not run the ${service} service`);
    const client = createClient(FollowerService, transport);
    for await (const response of client.rebuild({}, { timeoutMs: 0 })) {
      last = response;
      progress.update(Number(response.indexedCount), textOf(response));
    }
    if (last?.phase !== RebuildPhase.DONE) throw new Error("it ended early");
  } catch (error) {
    progress.end("broken off");
    throw userErrorOf("The rebuild broke off", error);
  }
  progress.end("done");
  return { service, indexed: Number(last.indexedCount) };
}

function textOf({ phase, feed, indexedCount }: RebuildResponse): string {
  return phase === RebuildPhase.RECONCILING
    ? `comparing with ${feed}`
    : `${indexedCount.toLocaleString("en")} records`;
}

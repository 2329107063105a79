import { createClient } from "@connectrpc/connect";
import type { FollowerName } from "@storefront/config";
import { FollowerService, RebuildPhase } from "@storefront/contracts/feed/v1/follower_service";
import type { RebuildResponse } from "@storefront/contracts/feed/v1/follower_service";
import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";

/** What a rebuild did. */
export interface RebuildSummary {
  readonly service: string;
  /** Records in the new index; 0 where there is none. */
  readonly indexed: number;
}

/**
 * Rebuilds what a service of a running stack makes of its feeds, and waits until it is done.
 *
 * @throws UserError when there is no stack, or the rebuild broke off.
 */
export async function runRebuild(
  service: FollowerName,
  context: CommandContext,
): Promise<RebuildSummary> {
  await using connections = await createServiceConnections(context);
  const progress = context.terminal.progress({ label: "Rebuilding" });
  let last: RebuildResponse | undefined;
  try {
    const transport = await connections.open(service);
    if (transport === undefined) throw new Error(`this stack does not run the ${service} service`);
    const client = createClient(FollowerService, transport);
    for await (const answer of client.rebuild({}, { timeoutMs: 0 })) {
      last = answer;
      progress.update(Number(answer.indexedCount), textOf(answer));
    }
    if (last?.phase !== RebuildPhase.DONE) throw new Error("it ended early");
  } catch (error) {
    progress.end("broken off");
    throw new UserError(`The rebuild broke off: ${messageOf(error)}.`, { cause: error });
  }
  progress.end("done");
  return { service, indexed: Number(last.indexedCount) };
}

function textOf({ phase, feed, indexedCount }: RebuildResponse): string {
  return phase === RebuildPhase.RECONCILING
    ? `comparing with ${feed}`
    : `${indexedCount.toLocaleString("en")} records`;
}

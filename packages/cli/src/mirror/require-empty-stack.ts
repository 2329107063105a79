import { createClient } from "@connectrpc/connect";
import { feedNames } from "@storefront/config";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";

/**
 * A copy is one from its first record on.
 *
 * @throws UserError when the stack has records, or does not run every service that a copy needs
 */
export async function requireEmptyStack(connections: ServiceConnections): Promise<void> {
  for (const feed of feedNames) {
    const transport = await connections.open(feed);
    if (transport === undefined) {
      throw new UserError(`A mirror needs the ${feed} service, which this stack does not run.`);
    }
    try {
      const { newestSequence } = await createClient(FeedService, transport).describeLog({});
      if (newestSequence === 0n) continue;
      throw new UserError(
        "This stack has records that are not a mirror's; a mirror begins in an empty one (start --empty).",
      );
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`The ${feed} service cannot be asked: ${messageOf(error)}.`, {
        cause: error,
      });
    } finally {
      await transport.close();
    }
  }
}

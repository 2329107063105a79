import type { Environment } from "@storefront/config";
import { messageOf, UserError } from "../user-error.ts";
import { reindexStatus } from "./reindex-status.ts";
import type { ReindexStatus } from "./reindex-status.ts";
import { withIndexClient } from "./with-index-client.ts";

/**
 * Tells of the reindex under way, else of the last one; or ends the one under way.
 *
 * @returns undefined when there is none.
 * @throws UserError when there is no stack, or it does not answer.
 */
export async function describeReindex(
  dataDirectory: string,
  env: Environment,
  { isCancelled }: { isCancelled: boolean },
): Promise<ReindexStatus | undefined> {
  return await withIndexClient(dataDirectory, env, async (open) => {
    try {
      const client = await open();
      const { job } = await (isCancelled ? client.cancelReindex({}) : client.describeReindex({}));
      return job && reindexStatus(job);
    } catch (error) {
      throw new UserError(`The search service does not tell: ${messageOf(error)}.`, {
        cause: error,
      });
    }
  });
}

import { createClient } from "@connectrpc/connect";
import { feedNames } from "@storefront/process";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { CommandContext } from "../command.ts";
import { createImporter } from "../import/importer.ts";
import { makeDataDirectory } from "../stack/data-directory.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { UserError, userErrorOf } from "../user-error.ts";
import { failureOfCopy, forgetMirrored, serviceCaller, ImportCheck } from "./copy.ts";
import { readMirrorState, writeMirrorState } from "./mirror-state.ts";
import { Mirror } from "./mirror.ts";
import type { MirrorSummary } from "./mirror.ts";

/**
 * Mirrors a catalogue into a running stack until the signal: a snapshot, then the changes after it. Continues where it
 * stopped, also after a kill.
 *
 * @param origin base URL of its gateway, without a slash at the end
 * @throws UserError when waiting does not help
 */
export async function runMirror(
  origin: string,
  signal: AbortSignal,
  context: CommandContext,
): Promise<MirrorSummary> {
  const { dataDirectory, terminal } = context;
  await makeDataDirectory(dataDirectory);
  await using connections = await createServiceConnections(context);
  let state = await readMirrorState(dataDirectory, origin);
  if (state === undefined) {
    await requireEmptyStack(connections);
    state = { origin };
    await writeMirrorState(dataDirectory, state);
  }
  const retry = { retryForMs: Infinity, note: (line: string) => terminal.note(line), signal };
  const check = new ImportCheck(retry.note);
  const importer = createImporter({
    ...retry,
    summary: check.summary,
    isMirror: true,
    connections,
  });
  const call = serviceCaller(connections, retry);
  const forget = forgetMirrored(call);
  const mirror = new Mirror({ context, importer, check, signal, state, call, forget });
  try {
    await mirror.run();
  } catch (error) {
    // Interrupted work is repeated the next time.
    if (!signal.aborted) throw failureOfCopy(error);
  } finally {
    // An open stream would keep the process.
    await importer.finish();
  }
  return mirror.summary();
}

/**
 * @throws UserError when the stack has records, or does not run every service that a copy needs
 */
async function requireEmptyStack(connections: ServiceConnections): Promise<void> {
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
      throw userErrorOf(`The ${feed} service cannot be read`, error);
    } finally {
      await transport.close();
    }
  }
}

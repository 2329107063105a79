import { createClient } from "@connectrpc/connect";
import {
  ReindexPhase,
  SearchIndexService,
} from "@storefront/contracts/search/v1/search_index_service";
import type { CommandContext } from "../command.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";

/** What a reindex did. */
export interface ReindexSummary {
  /** Records in the new index. */
  indexed: number;
}

/**
 * Builds the search index of a running stack anew, and waits until it answers.
 *
 * @throws UserError when there is no stack, or the reindex broke off.
 */
export async function runReindex(
  dataDirectory: string,
  { terminal, env }: CommandContext,
): Promise<ReindexSummary> {
  const connections = await createServiceConnections(dataDirectory, env);
  const transport = await connections.open("search");
  if (transport === undefined) throw new UserError("This stack does not run the search service.");
  const progress = terminal.progress({ label: "Indexing" });
  let indexed = 0;
  let phase: ReindexPhase = ReindexPhase.UNSPECIFIED;
  try {
    const client = createClient(SearchIndexService, transport);
    for await (const answer of client.reindex({}, { timeoutMs: 0 })) {
      ({ phase } = answer);
      indexed = Number(answer.indexedCount);
      progress.update(indexed, `${indexed.toLocaleString("en")} records`);
    }
    if (phase !== ReindexPhase.DONE) throw new Error("it ended early");
  } catch (error) {
    progress.end("broken off");
    throw new UserError(`The reindex broke off: ${messageOf(error)}.`, { cause: error });
  } finally {
    await connections.close();
  }
  progress.end(`${indexed.toLocaleString("en")} records`);
  return { indexed };
}

import { createClient } from "@connectrpc/connect";
import {
  ReindexPhase,
  SearchIndexService,
} from "@storefront/contracts/search/v1/search_index_service";
import { createGrpcTransport } from "@storefront/rpc";
import type { CommandContext } from "../command.ts";
import { findIngestToken } from "../stack/ingest-token.ts";
import { createServiceAddresses } from "../stack/service-addresses.ts";
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
  const token = await findIngestToken(dataDirectory, env);
  const address = await createServiceAddresses(dataDirectory, env).grpcAddress("search");
  if (address === undefined) throw new UserError("This stack does not run the search service.");
  const transport = createGrpcTransport({ address, ...(token === undefined ? {} : { token }) });
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
    await transport.close();
  }
  progress.end(`${indexed.toLocaleString("en")} records`);
  return { indexed };
}

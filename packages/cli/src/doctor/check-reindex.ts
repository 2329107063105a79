import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { serviceVariables } from "@storefront/config";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { createTransport } from "@storefront/rpc";
import { reindexStatus } from "../reindex/reindex-status.ts";
import { findIngestToken } from "../stack/ingest-token.ts";
import { openClientTls } from "../stack/open-client-tls.ts";
import { messageOf } from "../user-error.ts";
import { wrong } from "./check.ts";
import type { Check } from "./check.ts";
import type { FeedChecks } from "./check-feeds.ts";
import { judgeReindex } from "./judge-reindex.ts";

const timeoutMs = 3_000;

/** Asks the search for its reindexes, where the environment or the running stack tells its address. */
export async function checkReindex({ stack, dataDirectory, env }: FeedChecks): Promise<Check[]> {
  const baseUrl = env[serviceVariables("search").url] || stack?.services["search"]?.url;
  const token = await findIngestToken(dataDirectory, env, "search").catch(() => undefined);
  // Without a token nothing is told; that it is missing or wrong is another check's.
  if (baseUrl === undefined || token === undefined) return [];
  const tls = await openClientTls(env);
  try {
    const transport = createTransport({ baseUrl, tls, token });
    try {
      const client = createClient(SearchIndexService, transport);
      const { job } = await client.describeReindex({}, { timeoutMs });
      return [judgeReindex(job && reindexStatus(job), new Date())];
    } finally {
      await transport.close();
    }
  } catch (error) {
    // A release before this one does not tell.
    if (ConnectError.from(error).code === Code.Unimplemented) return [];
    return [wrong("reindex", `It is not told: ${messageOf(error)}.`, "See the services above.")];
  } finally {
    tls?.close();
  }
}

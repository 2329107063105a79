import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type { Environment } from "@storefront/config";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { createServiceConnections } from "../stack/service-connections.ts";
import { UserError } from "../user-error.ts";

/** Opens a connection to a fresh replica of the search service. */
export type OpenIndexClient = () => Promise<Client<typeof SearchIndexService>>;

/**
 * Works with the service that looks after the index of a running stack.
 *
 * @throws UserError when there is no stack, or it does not run the search service.
 */
export async function withIndexClient<Result>(
  dataDirectory: string,
  env: Environment,
  work: (open: OpenIndexClient) => Promise<Result>,
): Promise<Result> {
  const connections = await createServiceConnections(dataDirectory, env);
  try {
    return await work(async () => {
      const transport = await connections.open("search");
      if (transport === undefined) {
        throw new UserError("This stack does not run the search service.");
      }
      return createClient(SearchIndexService, transport);
    });
  } finally {
    await connections.close();
  }
}

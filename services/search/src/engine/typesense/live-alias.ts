import type { Client } from "typesense";
import type { LiveNote } from "../live-generation.ts";
import { aliasOf, collectionsOf, generationOf } from "./collections.ts";
import { SearchRefused } from "./search-collections.ts";
import { reach, statusOf } from "./typesense-client.ts";

/** Notes the live generation by an alias of its offers' collection. */
export function liveAlias(client: Client, prefix: string): LiveNote {
  const name = aliasOf(prefix);
  return {
    async read() {
      const alias = await reach("aliases", () =>
        client
          .aliases(name)
          .retrieve()
          .catch((error: unknown) => {
            if (statusOf(error) === 404) return undefined;
            throw error;
          }),
      );
      return alias && generationOf(prefix, alias.collection_name);
    },
    async write(_, generation) {
      const { offers } = collectionsOf(prefix, generation);
      await reach("aliases", () => client.aliases().upsert(name, { collection_name: offers }));
    },
    isMissing: (error) => error instanceof SearchRefused && error.status === 404,
  };
}

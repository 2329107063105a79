import { unavailable } from "@storefront/rpc";
import type { Client } from "typesense";
import { aliasOf, collectionsOf, generationOf } from "./collections.ts";
import { SearchRefused } from "./search-collections.ts";
import { reach, statusOf } from "./typesense-client.ts";

/** Which generation answers: that of the alias, remembered until its collections turn out to be gone. */
export class LiveAlias {
  readonly #client: Client;
  readonly #prefix: string;
  #known: number | undefined;

  constructor(client: Client, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /** As the server has it now. */
  async read(): Promise<number | undefined> {
    const alias = await reach(
      this.#client
        .aliases(aliasOf(this.#prefix))
        .retrieve()
        .catch((error: unknown) => {
          if (statusOf(error) === 404) return undefined;
          throw error;
        }),
    );
    this.#known = alias && generationOf(this.#prefix, alias.collection_name);
    return this.#known;
  }

  async activate(generation: number): Promise<void> {
    const { offers } = collectionsOf(this.#prefix, generation);
    const alias = aliasOf(this.#prefix);
    await reach(this.#client.aliases().upsert(alias, { collection_name: offers }));
    this.#known = generation;
  }

  /**
   * Asks the live generation. When another process has put a newer one in its place meanwhile and
   * dropped it, the newer one is asked.
   */
  async ask<Answer>(work: (generation: number) => Promise<Answer>): Promise<Answer> {
    const known = this.#known ?? (await this.read());
    if (known === undefined) throw unavailable("search index", new Error("no generation yet"));
    try {
      return await work(known);
    } catch (error) {
      if (!(error instanceof SearchRefused && error.status === 404)) throw error;
      const newer = await this.read();
      if (newer === undefined || newer === known) throw error;
      return await work(newer);
    }
  }
}

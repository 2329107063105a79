import { Collection } from "./documents/collection.ts";
import { TextModel } from "./documents/text-model.ts";
import type { JsonObject } from "./json.ts";
import { parseSchema } from "./schema/parse-schema.ts";
import { TypesenseError } from "./typesense-error.ts";

/** The collections and aliases of a server. */
export class Store {
  /** One for all collections, whatever model they name. */
  readonly model = new TextModel();
  #collections = new Map<string, Collection>();
  #aliases = new Map<string, string>();

  /** All collections, the one created last first. */
  collections(): Collection[] {
    return [...this.#collections.values()].toReversed();
  }

  /**
   * The collection of this name or alias.
   *
   * @throws TypesenseError 404 when there is none.
   */
  collection(name: string): Collection {
    const found =
      this.#collections.get(name) ?? this.#collections.get(this.#aliases.get(name) ?? "");
    if (found !== undefined) return found;
    throw new TypesenseError("Collection not found", 404);
  }

  /** @throws TypesenseError 400 for a bad schema, 409 for a name that is taken. */
  create(body: JsonObject): Collection {
    const name = body["name"];
    if (typeof name !== "string" || name === "") {
      throw new TypesenseError("Parameter `name` is required.");
    }
    const schema = parseSchema(body);
    if (this.#collections.has(name)) {
      throw new TypesenseError(`A collection with name \`${name}\` already exists.`, 409);
    }
    const collection = new Collection(name, schema, this.model);
    this.#collections.set(name, collection);
    return collection;
  }

  /** Deletes a collection, by an alias too, which then points nowhere. */
  drop(name: string): Collection {
    const collection = this.collection(name);
    this.#collections.delete(collection.name);
    return collection;
  }

  aliases(): { name: string; collection_name: string }[] {
    return Array.from(this.#aliases, ([name, target]) => ({ name, collection_name: target }));
  }

  /** @throws TypesenseError 404 when there is none. */
  alias(name: string): { name: string; collection_name: string } {
    const target = this.#aliases.get(name);
    if (target === undefined) throw new TypesenseError("Not Found", 404);
    return { name, collection_name: target };
  }

  /** Points an alias at a collection, which need not exist. @throws TypesenseError 500 */
  setAlias(name: string, target: string): void {
    if (this.#collections.has(name)) {
      throw new TypesenseError(`Name \`${name}\` conflicts with an existing collection name.`, 500);
    }
    this.#aliases.set(name, target);
  }

  dropAlias(name: string): void {
    this.#aliases.delete(name);
  }
}

import { startTypesense } from "@storefront/testkit";

/** A search engine, and the variables that let a stack use it. */
export interface SearchBackend {
  readonly env: Readonly<Record<string, string>>;
  /** Memory that its index takes, in bytes; undefined for the database. */
  memory(): Promise<number | undefined>;
  stop(): Promise<void>;
}

const engineNames = ["postgres", "typesense"] as const;

export type SearchEngineName = (typeof engineNames)[number];

/**
 * The engine that `--search-engine` names.
 *
 * @throws Error for another name.
 */
export function searchEngineOf(text: string): SearchEngineName {
  const name = engineNames.find((each) => each === text);
  if (name === undefined) throw new Error(`--search-engine is ${engineNames.join(" or ")}`);
  return name;
}

/** The database itself, or an empty Typesense server of its own. */
export async function startSearchBackend(engine: SearchEngineName): Promise<SearchBackend> {
  if (engine === "postgres") {
    return { env: {}, memory: async () => undefined, stop: async () => undefined };
  }
  const server = await startTypesense();
  const allocated = async () => {
    const headers = { "x-typesense-api-key": server.apiKey };
    const response = await fetch(`${server.url}/metrics.json`, { headers });
    const metrics = (await response.json()) as Record<string, string>;
    return Number(metrics["typesense_memory_allocated_bytes"]);
  };
  const atStart = await allocated();
  return {
    env: { TYPESENSE_URL: server.url, TYPESENSE_API_KEY: server.apiKey },
    memory: async () => (await allocated()) - atStart,
    stop: () => server.stop(),
  };
}

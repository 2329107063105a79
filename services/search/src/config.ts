import { zLogLevel, zPort, zToken, zUrl } from "@storefront/config";
import { z } from "zod";

/** Environment of the search as a process of its own. */
export const zSearchConfig = z.object({
  DATABASE_URL: z.string(),
  DATABASE_DRIVER: z
    .enum(["pglite", "postgres", "neon"], "must be pglite, postgres or neon")
    .optional(),
  SEARCH_PORT: zPort.default(4105),
  SEARCH_GRPC_PORT: zPort.default(4205),
  /** Connect addresses of the services whose feeds are followed. */
  CATALOG_URL: zUrl.default("http://127.0.0.1:4101"),
  PRICING_URL: zUrl.default("http://127.0.0.1:4102"),
  CHANGELOG_URL: zUrl.default("http://127.0.0.1:4104"),
  INGEST_TOKEN: zToken,
  /** A Typesense server, 28 or newer, to search with; default the database itself. */
  TYPESENSE_URL: zUrl.optional(),
  /** Required with TYPESENSE_URL: a key that may do anything with collections and aliases. */
  TYPESENSE_API_KEY: z.string().min(1, "must not be empty").optional(),
  /** What makes vectors for searches by meaning. */
  EMBEDDER: z
    .enum(["builtin", "openai", "none"], "must be builtin, openai or none")
    .default("builtin"),
  /** For EMBEDDER=openai: any endpoint like OpenAI's, without `/v1/embeddings`. */
  EMBEDDING_URL: zUrl.default("https://api.openai.com"),
  EMBEDDING_API_KEY: z.string().min(1, "must not be empty").optional(),
  EMBEDDING_MODEL: z.string().min(1, "must not be empty").default("text-embedding-3-small"),
  /** Of the model's vectors; another number builds the index anew. */
  EMBEDDING_DIMENSIONS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, "must be a number from 1 to 9999")
    .transform(Number)
    .default(1_536),
  LOG_LEVEL: zLogLevel.default("info"),
});

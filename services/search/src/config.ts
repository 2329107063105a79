import { zLogLevel, zPort, zToken, zUrl } from "@storefront/config";
import { z } from "zod";

/** Environment of the search as a process of its own. */
export const zSearchEnvironment = z.object({
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
  /** What makes vectors for searches by meaning; `typesense` is that server itself. */
  EMBEDDER: z
    .enum(["builtin", "openai", "typesense", "none"], "must be builtin, openai, typesense or none")
    .default("builtin"),
  /**
   * An endpoint like OpenAI's, without `/v1/embeddings`. With EMBEDDER=openai default OpenAI itself;
   * with EMBEDDER=typesense it is for models `openai/…` that are not OpenAI's.
   */
  EMBEDDING_URL: zUrl.optional(),
  EMBEDDING_API_KEY: z.string().min(1, "must not be empty").optional(),
  /** Default `text-embedding-3-small`, of Typesense `ts/e5-small`. */
  EMBEDDING_MODEL: z.string().min(1, "must not be empty").optional(),
  /** Of the model's vectors, with EMBEDDER=openai; another number builds the index anew. */
  EMBEDDING_DIMENSIONS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, "must be a number from 1 to 9999")
    .transform(Number)
    .default(1_536),
  LOG_LEVEL: zLogLevel.default("info"),
});

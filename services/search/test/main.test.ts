import { describeMain } from "@storefront/testkit";

const env = { INGEST_TOKEN: "a-token-for-the-tests" };
const withDatabase = { ...env, DATABASE_URL: "pglite:memory:" };

describeMain({
  main: new URL("../src/main.ts", import.meta.url),
  env,
  hasDatabase: true,
  ports: ["SEARCH_PORT", "SEARCH_GRPC_PORT"],
  request: { path: "/storefront.health.v1.HealthService/CheckHealth", body: "{}" },
  wrong: {
    "no configuration": {},
    "an invalid database URL": { ...env, DATABASE_URL: "mysql://localhost/x" },
    "a Typesense server without its key": { ...withDatabase, TYPESENSE_URL: "http://127.0.0.1:1" },
    "embedding by a Typesense server without its URL": { ...withDatabase, EMBEDDER: "typesense" },
  },
});

import { describeMain } from "@storefront/testkit";

const env = { DATABASE_URL: "pglite:memory:", INGEST_TOKEN: "a-token-for-the-tests" };

describeMain({
  main: new URL("../src/main.ts", import.meta.url),
  env,
  ports: ["CATALOG_PORT", "CATALOG_GRPC_PORT"],
  request: { path: "/storefront.health.v1.HealthService/CheckHealth", body: "{}" },
  wrong: {
    "no configuration": {},
    "a database that is none": { ...env, DATABASE_URL: "mysql://localhost/x" },
  },
});

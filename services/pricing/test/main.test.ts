import { describeMain } from "@storefront/testkit";

const env = { INGEST_TOKEN: "a-token-for-the-tests" };

describeMain({
  main: new URL("../src/main.ts", import.meta.url),
  env,
  hasDatabase: true,
  ports: ["PRICING_PORT", "PRICING_GRPC_PORT"],
  request: { path: "/storefront.health.v1.HealthService/CheckHealth", body: "{}" },
  wrong: {
    "no configuration": {},
    "a database that is none": { ...env, DATABASE_URL: "mysql://localhost/x" },
  },
});

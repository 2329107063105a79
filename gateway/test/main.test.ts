import { describeMain } from "@storefront/testkit";

describeMain({
  main: new URL("../src/main.ts", import.meta.url),
  env: {},
  hasDatabase: false,
  ports: ["PORT", "METRICS_PORT"],
  request: { path: "/regions" },
  wrong: {
    "a port that is none": { PORT: "70000" },
    "the address of a service that is none": { CATALOG_URL: "catalog:4101" },
  },
});

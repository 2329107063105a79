import { runMain } from "@storefront/testkit";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";

const main = new URL("../src/main.ts", import.meta.url);
const env = { DATABASE_URL: "pglite:memory:", INGEST_TOKEN: "a-token-for-the-tests" };
const oneSentence = [expect.stringMatching(/\.$/), ""];

it.each([
  ["no configuration", {}],
  ["a database that is none", { ...env, DATABASE_URL: "mysql://localhost/x" }],
])("with %s it ends with status 1 and one sentence", async (_, variables) => {
  const { status, stderr } = await runMain(main, variables);
  expect(status).toBe(1);
  expect(stderr.split("\n")).toEqual(oneSentence);
});

it("with a port that is taken it ends with status 1 and one sentence", async () => {
  await using taken = createServer().listen(0);
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const ports = { PRICING_PORT: String(port), PRICING_GRPC_PORT: "0" };
  const { status, stderr } = await runMain(main, { ...env, ...ports });
  expect(status).toBe(1);
  expect(stderr.split("\n")).toEqual(oneSentence);
});

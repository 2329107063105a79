import { createClient } from "@hey-api/openapi-ts";
import { makeTemporaryDirectory, startStack } from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));

let project: TemporaryDirectory;
let stack: TestStack;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  project = await makeTemporaryDirectory();
  cleanUps.push(() => project.remove());
  stack = await startStack();
  cleanUps.push(() => stack.stop());
});

afterAll(async () => {
  await Promise.allSettled(cleanUps.map((cleanUp) => cleanUp()));
});

const compilerOptions = {
  module: "nodenext",
  target: "es2023",
  lib: ["es2024", "dom", "dom.iterable"],
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  outDir: "dist",
};

/** Calls that a user of the generated client may make; its types are checked, then it runs. */
const program = `
import { client } from "./client/client.gen.js";
import { checkOffersExist, getOffer, listItems, listRegions, searchOffers } from "./client/index.js";
import type { GetOfferError, PricedOffer } from "./client/index.js";

client.setConfig({ baseUrl: process.argv[2] ?? "" });

const { data: regions } = await listRegions({ throwOnError: true });
const { data: page } = await listItems({ query: { page: 1, limit: 5 }, throwOnError: true });
const { data: found } = await searchOffers({
  query: { country: "DE" },
  body: { offerType: ["BASE_GAME"], sortBy: "priceAsc" },
  throwOnError: true,
});
const { data: existence } = await checkOffersExist({ body: { offers: ["o1"] }, throwOnError: true });
const { data, error, response } = await getOffer({ path: { id: "unknown" }, query: { locale: "de-DE" } });
const offer: PricedOffer | undefined = data;
const failure: GetOfferError | undefined = error;
const total: number = found.total;
const items: (string | null)[] = page.elements.map(({ title }) => title);
const code: "NOT_FOUND" | string | undefined = failure?.error;

console.log(JSON.stringify({
  regions: regions.length, items, total, existence, offer, code,
  status: response?.status, requestId: response?.headers.has("x-request-id"),
}));
`;

test("a client that is generated from the document compiles and runs", async () => {
  await createClient({
    input: join(root, "gateway/openapi.json"),
    output: { path: join(project.path, "client"), module: { extension: ".js" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  await symlink(join(root, "node_modules"), join(project.path, "node_modules"));
  await writeFile(join(project.path, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(project.path, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["program.ts", "client"] }),
  );
  await writeFile(join(project.path, "program.ts"), program);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, "-p", project.path]).catch(
    (error: { stdout?: string }) => {
      throw new Error(error.stdout, { cause: error });
    },
  );

  const { stdout } = await run(process.execPath, [
    join(project.path, "dist/program.js"),
    stack.gatewayUrl,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    regions: 52,
    items: [],
    total: 0,
    existence: { existingOffers: [], nonExistingOffers: ["o1"] },
    code: "NOT_FOUND",
    status: 404,
    requestId: true,
  });
});

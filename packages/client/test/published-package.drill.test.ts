import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { makeTemporaryDirectory, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { packClient } from "./support/pack-client.ts";
import type { PackedClient } from "./support/pack-client.ts";
import { readmeExamples } from "./support/readme-examples.ts";

const run = promisify(execFile);
const compiler = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);

let client: PackedClient;
let stack: TestStack;
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const starting = startStack({ parameters: ["--offers", "40"] });
  cleanUps.push(async () => void (await (await starting).stop()));
  const packing = packClient();
  cleanUps.push(async () => await (await packing).remove());
  [client, stack] = await Promise.all([packing, starting]);
}, 120_000);

afterAll(async () => {
  await Promise.allSettled(cleanUps.map((cleanUp) => cleanUp()));
});

test("the package has the product's version, and no reference to the workspace", async () => {
  const manifest = JSON.parse(
    await readFile(join(client.installedDirectory, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  const product = JSON.parse(
    await readFile(new URL("../../../package.json", import.meta.url), "utf8"),
  ) as Record<string, unknown>;
  expect(manifest["version"]).toBe(product["version"]);
  const needed = JSON.stringify([manifest["dependencies"], manifest["peerDependencies"]]);
  expect(needed).not.toMatch(/workspace:|catalog:|@storefront/);
  const dist = join(client.installedDirectory, "dist");
  const files = await readdir(dist);
  expect(files.toSorted()).toEqual(["index.d.ts", "index.js", "services.d.ts", "services.js"]);
  for (const file of files) {
    const text = await readFile(join(dist, file), "utf8");
    expect(text).not.toMatch(/@storefront\/|from "(zod|express|undici|node:)/);
  }
});

test("publint reports no problem", async () => {
  const { messages } = await publint({
    pkgDir: client.installedDirectory,
    strict: true,
    pack: false,
  });
  expect(messages.filter(({ type }) => type !== "suggestion")).toEqual([]);
});

test("its types resolve for ESM and bundlers", async () => {
  const result = await checkPackage(createPackageFromTarballData(client.tarball));
  const problems = result.types === false ? ["no types"] : result.problems;
  // The package has no CommonJS, and resolution without `exports` does not find its second entry.
  const esmOnly = problems.filter(
    (problem) =>
      typeof problem === "string" ||
      (problem.kind !== "CJSResolvesToESM" &&
        !("resolutionKind" in problem && problem.resolutionKind === "node10")),
  );
  expect(result.types).not.toBe(false);
  expect(esmOnly).toEqual([]);
});

/** Modules and text of a bundle of the code. */
async function bundle(code: string): Promise<{ modules: string[]; text: string }> {
  const entry = join(client.projectDirectory, "entry.js");
  await writeFile(entry, code);
  const build = await rolldown({ input: entry, platform: "browser", logLevel: "silent" });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const chunks = output.flatMap((chunk) => (chunk.type === "chunk" ? [chunk] : []));
  return {
    modules: chunks.flatMap(({ modules }) =>
      Object.entries(modules).flatMap(([id, { renderedLength }]) =>
        renderedLength > 0 ? [id] : [],
      ),
    ),
    text: chunks.map(({ code: text }) => text).join(""),
  };
}

test("a frontend's bundle has no protobuf, and is small", async () => {
  const { modules, text } = await bundle(
    'import { createCatalogClient } from "@storefront/client"; console.log(createCatalogClient({ url: "/" }));',
  );
  expect(modules.filter((id) => /bufbuild|connectrpc|services\.js/.test(id))).toEqual([]);
  expect(text.length).toBeLessThan(40_000);
});

test("a service's bundle has only the services it calls", async () => {
  const { text } = await bundle(
    'import { createReviewsServiceClient } from "@storefront/client/services"; console.log(createReviewsServiceClient);',
  );
  const whole = await bundle(
    'import * as all from "@storefront/client/services"; console.log(all);',
  );
  const ownText = async () =>
    (await readFile(join(client.installedDirectory, "dist/services.js"), "utf8")).length;
  expect(text.length).toBeLessThan(whole.text.length - (await ownText()) / 3);
});

// The comparison of protos covers generated messages; of services, the names suffice.
test("its exports are those of the API report", async () => {
  const declared = async (entry: string) =>
    await readFile(join(client.installedDirectory, "dist", `${entry}.d.ts`), "utf8");
  await expect(await declared("index")).toMatchFileSnapshot("../api-report/index.txt");
  const services = await declared("services");
  const names = services.slice(services.lastIndexOf("export {")).replaceAll(", ", ",\n  ");
  await expect(names).toMatchFileSnapshot("../api-report/services.txt");
});

test.each([
  ["11.0.0", "5.67.1"],
  ["11", "5"],
])(
  "tRPC's adapter for React Query accepts it, in version %s",
  async (trpc, reactQuery) => {
    const temporary = await makeTemporaryDirectory();
    onTestFinished(() => temporary.remove());
    const { path: directory } = temporary;
    const compilerOptions = {
      strict: true,
      module: "esnext",
      moduleResolution: "bundler",
      jsx: "react-jsx",
      target: "es2022",
      noEmit: true,
      skipLibCheck: true,
    };
    await writeFile(join(directory, "package.json"), '{ "private": true, "type": "module" }');
    await writeFile(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    const [example = ""] = readmeExamples("tsx");
    await writeFile(join(directory, "example.tsx"), example);
    await writeFile(
      join(directory, "use.ts"),
      `import { trpc, useOffersByTitle } from "./example";
      const { queryFn } = trpc.pricing.getPrice.queryOptions({ id: "x", country: "DE" });
      type Answer = Awaited<ReturnType<Exclude<typeof queryFn, symbol | undefined>>>;
      export const decimals = (answer: Answer): number => answer.price.currencyDecimals;
      type Found = ReturnType<typeof useOffersByTitle>["offers"];
      export const titles = (offers: Found): (string | null)[] => offers.map(({ title }) => title);
      export const followed = trpc.changelog.watchEntries.subscriptionOptions(undefined, {
        onData: ({ id, data }) => console.log(id, data.metadata.contextType),
        onError: ({ data }) => console.log(data?.error === "NOT_FOUND"),
      });
      // @ts-expect-error no failure has this code
      followed.onError = ({ data }) => console.log(data?.error === "NOT_THERE");
      // @ts-expect-error an offer's price has no such member
      export const unknown = (answer: Answer) => answer.price.unknown;
      `,
    );
    const packages = ["client", "server", "tanstack-react-query"].map(
      (name) => `@trpc/${name}@${trpc}`,
    );
    const others = [`@tanstack/react-query@${reactQuery}`, "@types/react@19", "react@19"];
    const parameters = ["install", "--no-audit", "--no-fund", client.tarballPath];
    await run("npm", [...parameters, ...packages, ...others], { cwd: directory });
    const problems = await run(process.execPath, [compiler, "-p", directory]).then(
      () => "",
      ({ stdout }: { stdout?: string }) => stdout,
    );
    expect(problems).toBe("");
  },
  120_000,
);

/** Supported versions of Node besides the one that runs the tests. */
const otherNodes = ["20", "22"];

test("the README's examples compile and run on every supported Node", async () => {
  const urls = new Map([
    ["http://localhost:4000", stack.gatewayUrl],
    ["http://localhost:4101", stack.services["catalog"]?.url],
    ["http://localhost:4102", stack.services["pricing"]?.url],
    ["http://localhost:4204", `http://${stack.services["changelog"]?.grpcAddress}`],
  ]);
  const examples = readmeExamples("ts").map((code) =>
    code.replaceAll(/http:\/\/localhost:\d+/g, (url) => urls.get(url) ?? ""),
  );
  expect(examples.length).toBeGreaterThan(5);
  const names = examples.map((_code, index) => `example-${index}`);
  await Promise.all(
    names.map((name, index) =>
      writeFile(join(client.projectDirectory, `${name}.ts`), examples[index] ?? ""),
    ),
  );

  await run(process.execPath, [compiler, "-p", client.projectDirectory]).catch(
    (error: { stdout?: string }) => {
      throw new Error(error.stdout, { cause: error });
    },
  );

  const others = await Promise.all(otherNodes.map(pathOfNode));
  for (const node of [process.execPath, ...others]) {
    const outputs = await Promise.all(
      names.map((name) => run(node, [join(client.compiledDirectory, `${name}.js`)])),
    );
    for (const { stdout } of outputs) expect(stdout).not.toBe("");
    expect(outputs[3]?.stdout).toContain("gone:");
  }
});

/** The program of a version of Node, which npm downloads once and caches. */
async function pathOfNode(version: string): Promise<string> {
  const parameters = ["-y", "-p", `node@${version}`, "node", "-p", "process.execPath"];
  const { stdout } = await run("npx", parameters);
  return stdout.trim();
}

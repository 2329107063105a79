import {
  describeUnlessMissing,
  findProgram,
  makeTemporaryDirectory,
  startStack,
} from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

const run = promisify(execFile);
const pathOf = (name: string) =>
  fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

const needed = ["bash", "curl", "jq", "python3"];
const missing = needed.filter((program) => findProgram(program) === undefined).join(", ");
// A Python other than the system's does not see the system's packages.
const pythonWithGrpc = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import grpc, google.protobuf"]).status === 0,
);
const missingGrpc =
  pythonWithGrpc === undefined ? "no grpc for Python: install python3-grpcio" : undefined;

interface ListedOffer {
  id: string;
  title: string;
  price: { price: { discountPrice: number } } | null;
}

describeUnlessMissing("examples", missing === "" ? undefined : `no ${missing}`, () => {
  let stack: TestStack;
  let directory: string;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const temporary = await makeTemporaryDirectory();
    cleanUps.push(() => temporary.remove());
    directory = temporary.path;
    stack = await startStack({ parameters: ["--offers", "60"] });
    cleanUps.push(() => stack.stop());
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  it("curl.sh runs to completion", async () => {
    const { stdout } = await run("bash", [pathOf("curl.sh"), stack.gatewayUrl]);
    expect(stdout).toMatch(/^\d+(\.\d+)? EUR\t-\d+ %\t./m);
    expect(stdout).toMatch(/^304$/m);
    expect(stdout).toMatch(/\nNOT_FOUND: Offer not found\n$/);
  });

  const country = "DE";
  const copyPath = () => join(directory, "catalogue.db");
  const sync = async () => {
    const parameters = ["--url", stack.gatewayUrl, "--file", copyPath(), "--country", country];
    await run("python3", [pathOf("sync.py"), ...parameters]);
  };
  const withCopy = <Result>(use: (copy: DatabaseSync) => Result): Result => {
    const copy = new DatabaseSync(copyPath());
    try {
      return use(copy);
    } finally {
      copy.close();
    }
  };
  const copied = () =>
    withCopy((copy) =>
      copy
        .prepare("select id, price, offer from offer order by id")
        .all()
        .map(({ id, price, offer }) => ({
          ...(JSON.parse(String(offer)) as object),
          id,
          price: JSON.parse(String(price)) as unknown,
        })),
    );
  const listed = async (parameters = "&limit=200"): Promise<ListedOffer[]> => {
    const response = await fetch(`${stack.gatewayUrl}/offers?country=${country}${parameters}`);
    return ((await response.json()) as { offers: ListedOffer[] }).offers;
  };

  describeUnlessMissing("gRPC from Python", missingGrpc, () => {
    it("catalog_grpc.py lists offers with prices, shows one and reports one that is missing", async () => {
      const { catalog, pricing } = stack.services;
      const addresses = [
        `--gateway=${stack.gatewayUrl}`,
        `--catalog=${catalog?.grpcAddress}`,
        `--pricing=${pricing?.grpcAddress}`,
      ];
      const show = async (...id: string[]) =>
        await run(pythonWithGrpc ?? "", [pathOf("catalog_grpc.py"), ...addresses, ...id]);
      const games = await listed("&offerType=BASE_GAME&limit=5");
      const lines = games.map(({ id, title, price }) => {
        const amount = price && `${(price.price.discountPrice / 100).toFixed(2)} EUR`;
        return `${id}\t${amount ?? "no price"}\t${title}\n`;
      });
      expect(lines.join("")).toMatch(/ EUR\t/);
      const { stdout } = await show();
      expect(stdout).toContain(`${lines.join("")}${games[0]?.title}: `);
      await expect(show("unknown")).rejects.toMatchObject({
        code: 1,
        stdout: lines.join(""),
        stderr: "NOT_FOUND: no offer has this id\n",
      });
    });
  });

  const importLines = async (lines: object[]) => {
    const stdin = lines.map((line) => JSON.stringify(line)).join("\n");
    expect(await stack.cli(["import", "-"], { stdin })).toMatchObject({ status: 0 });
  };
  const setState = (path: string, value: string) =>
    withCopy((copy) =>
      copy.prepare("update run set state = json_set(state, ?, ?)").run(path, value),
    );
  const priceOf = (offerId: string, discountPrice: number) => ({
    kind: "price",
    record: {
      offerId,
      region: "EURO",
      price: { currencyCode: "EUR", originalPrice: 9999, discountPrice },
    },
  });

  it("sync.py copies all offers, then writes, deletions and restorations", async () => {
    await sync();
    const [deleted, restored, repriced] = await listed();
    expect(copied()).toEqual(await listed());

    const [first, later] = [1, 2].map((s) => new Date(Date.now() + s * 1000).toISOString());
    const record = { id: restored?.id, namespace: "n1", title: "Restored" };
    await importLines([
      { kind: "offer", op: "delete", record: { id: deleted?.id } },
      { kind: "offer", op: "delete", observedAt: first, record: { id: restored?.id } },
      { kind: "offer", observedAt: later, record },
      { kind: "offer", record: { id: "new", namespace: "n1", title: "New" } },
      priceOf(repriced?.id ?? "", 1234),
    ]);
    await vi.waitFor(async () => {
      await sync();
      const offers = copied();
      expect(offers).toEqual(await listed());
      const ids = offers.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(["new", restored?.id]));
      expect(ids).not.toContain(deleted?.id);
    });
  });

  it("sync.py follows prices of offers that are not listed again", async () => {
    const [offer] = await listed();
    await importLines([priceOf(offer?.id ?? "", 4321)]);
    await vi.waitFor(async () => {
      setState("$.listed", new Date(Date.now() + 3_600_000).toISOString());
      await sync();
      const price = copied().find(({ id }) => id === offer?.id)?.price;
      expect(price).toMatchObject({ price: { discountPrice: 4321 } });
    });
  });

  it("sync.py starts again when the changelog no longer has its position", async () => {
    setState("$.entry", "unknown");
    withCopy((copy) => copy.exec("update offer set price = 'null'"));
    await sync();
    expect(copied()).toEqual(await listed());
  });
});

import { createClient } from "@connectrpc/connect";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { createTransport } from "@storefront/rpc";
import { startPostgres, startStack, startTcpProxy } from "@storefront/testkit";
import { setTimeout as sleep } from "node:timers/promises";
import { limitRow } from "../row.ts";
import type { Row } from "../row.ts";

const readsAtOnce = 24;
const pollMs = 50;

/** Times in seconds with a database whose network drops every packet. */
interface Silence {
  /** Until the last of the reads in progress had failed; they had no deadline. */
  firstSeconds: number;
  /** Until the last of the next reads had failed. */
  nextSeconds: number;
  /** From the end of the silence to the first read that succeeds. */
  backSeconds: number;
}

/** Row 30: reads without a deadline of their own while the database is silent. */
export function silentDatabase(): Row[] {
  let silence: Promise<Silence> | undefined;
  const row = (title: string, limit: number, secondsOf: (all: Silence) => number): Row =>
    limitRow({
      number: 30,
      case: `seconds ${title}; peer: the limit, ${limit} s`,
      limit,
      measure: async () => secondsOf(await (silence ??= measureSilence())),
    });
  return [
    row(
      `until ${readsAtOnce} reads fail when the database falls silent`,
      12,
      (all) => all.firstSeconds,
    ),
    row("until the next reads fail", 2, (all) => all.nextSeconds),
    row("from the end of the silence to a read", 3, (all) => all.backSeconds),
  ];
}

async function measureSilence(): Promise<Silence> {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.adopt(await startPostgres(), (used) => used.stop());
  const address = new URL(postgres.url);
  const proxy = stack.adopt(await startTcpProxy(Number(address.port)), (used) => used.stop());
  address.port = String(proxy.port);
  const { services } = stack.adopt(
    await startStack({ env: { DATABASE_URL: address.href } }),
    async (used) => void (await used.stop()),
  );
  const catalog = createClient(
    CatalogService,
    createTransport({ baseUrl: services["catalog"]?.url ?? "" }),
  );
  const read = () => catalog.checkOffersExist({ offerIds: ["unknown"] }, { timeoutMs: 0 });
  const reads = () => Promise.allSettled(Array.from({ length: readsAtOnce }, read));
  const secondsOf = async (work: () => Promise<unknown>) => {
    const startedAtMs = performance.now();
    await work();
    return (performance.now() - startedAtMs) / 1000;
  };
  await reads();
  proxy.swallow();
  const failed = async () => {
    if ((await reads()).some(({ status }) => status === "fulfilled")) {
      throw new Error("A read succeeded without the database.");
    }
  };
  const firstSeconds = await secondsOf(failed);
  const nextSeconds = await secondsOf(failed);
  proxy.heal();
  const backSeconds = await secondsOf(async () => {
    while ((await Promise.allSettled([read()]))[0].status === "rejected") await sleep(pollMs);
  });
  return { firstSeconds, nextSeconds, backSeconds };
}

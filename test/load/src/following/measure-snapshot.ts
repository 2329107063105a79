import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { serviceVariables } from "@storefront/process";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { regions } from "@storefront/domain/regions";
import { createGrpcTransport } from "@storefront/rpc";
import { runCli, startPostgres, startProgram } from "@storefront/testkit";
import type { RunningProgram } from "@storefront/testkit";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

const token = "a token for the bench only";
const lookMs = 50;
/** Offers whose prices are inserted by one statement. */
const chunkOffers = 500;
const kills = 3;
const seenAt = new Date("2026-01-01T00:00:00Z");

/** How long search takes to agree with a snapshot of prices, while it is killed several times. */
export interface SnapshotFigures {
  readonly prices: number;
  readonly kills: number;
  /** From the first start of the search until the last price is applied, its restarts included. */
  readonly seconds: number;
  readonly pricesPerSecond: number;
  /** From a changed price's acknowledgement until search has it, in the middle of the snapshot. */
  readonly changeShownAfterSeconds: number;
}

/**
 * Lets search, a process of its own, apply a snapshot of so many prices from pricing, both on PostgreSQL.
 *
 * @throws Error when the snapshot restarts after a kill, or search has other prices than pricing at the end
 */
export async function measureSnapshot(prices: number): Promise<SnapshotFigures> {
  const postgres = await startPostgres();
  const client = new Client({ connectionString: postgres.url });
  const env = { DATABASE_URL: postgres.url, INGEST_TOKEN: token };
  const running: RunningProgram[] = [];
  const start = async (name: "pricing" | "search", urls: Record<string, string>) => {
    const { port, grpcPort } = serviceVariables(name);
    const ports = { [port]: "0", [grpcPort]: "0", SHUTDOWN_DELAY_SECONDS: "0" };
    const program = await startProgram({
      main: `services/${name}/src/main.ts`,
      env: { ...env, ...ports, ...urls },
    });
    running.push(program);
    return program;
  };
  try {
    await client.connect();
    await runCli(["migrate"], { env });
    await fillPrices(client, prices);
    const pricing = await start("pricing", {});
    const startSearch = () => start("search", { PRICING_URL: pricing.url });
    // With a live index, so that the snapshot is written to it as well.
    let search = await startSearch();
    const until = async (sql: string) => {
      for (let rows = 0; rows === 0; await sleep(lookMs)) {
        rows = (await client.query(sql)).rows.length;
      }
    };
    await until("select from search.generation where is_live");
    await search.kill();
    await client.query(
      `insert into search.feed_cursor (feed, sequence, identity, identity_sequence)
        values ('region prices', 1000000000, 'lost', 1000000000)
        on conflict (feed) do update set sequence = excluded.sequence, identity = excluded.identity,
          identity_sequence = excluded.identity_sequence`,
    );
    const startedAtMs = performance.now();
    search = await startSearch();
    let changeShownAfterSeconds = 0;
    for (let killed = 1; killed <= kills; killed++) {
      const goal = Math.floor((prices * killed) / (kills + 1));
      await until(`select from search.snapshot_progress where records >= ${goal}`);
      if (killed === 2) changeShownAfterSeconds = await showChange(client, pricing.grpcAddress);
      await search.kill();
      search = await startSearch();
      const { rows } = await client.query<{ records: string }>(
        "select records from search.snapshot_progress",
      );
      if (Number(rows[0]?.records ?? 0) < goal) throw new Error("the snapshot restarted");
    }
    await until(
      `select from search.feed_cursor where feed = 'region prices' and identity is distinct from 'lost'
        and not exists (select from search.snapshot_progress)`,
    );
    const seconds = (performance.now() - startedAtMs) / 1_000;
    await requireSamePrices(client, prices);
    return {
      prices,
      kills,
      seconds,
      pricesPerSecond: prices / seconds,
      changeShownAfterSeconds,
    };
  } finally {
    await Promise.all(running.map((program) => program.kill()));
    await client.end();
    await postgres.stop();
  }
}

/** Stores prices of every region as pricing does, but without their position in the log. */
async function fillPrices(client: Client, count: number): Promise<void> {
  const offers = Math.ceil(count / regions.length);
  for (let first = 0; first < offers; first += chunkOffers) {
    const chunk = Array.from({ length: Math.min(chunkOffers, offers - first) }, (_, index) =>
      regions.map(({ region, currencyCode }) => priceOf(first + index, region, currencyCode)),
    ).flat();
    const made = chunk.slice(0, Math.max(count - first * regions.length, 0));
    await client.query(
      `with made as (
          select * from unnest($1::text[], $2::text[], $3::bytea[]) as made(offer_id, region, record)
        ), current as (
          insert into pricing.price (offer_id, region, record, observed_at, discount)
          select offer_id, region, record, $4, 100 from made
        )
        insert into pricing.price_history (offer_id, region, observed_at, updated_at, record)
        select offer_id, region, $4, $4, record from made`,
      [
        made.map(({ offerId }) => offerId),
        made.map(({ region }) => region),
        made.map((price) => Buffer.from(toBinary(OfferPriceSchema, price))),
        seenAt,
      ],
    );
  }
  await client.query("analyze pricing.price, pricing.price_history");
}

function priceOf(number: number, region: string, currencyCode: string, cents = 900): OfferPrice {
  // Identifiers of offers are 32 characters, in no order.
  const offerId = ((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(32, "0");
  return create(OfferPriceSchema, {
    offerId,
    region,
    price: {
      currencyCode,
      originalPrice: BigInt(cents + 100),
      discountPrice: BigInt(cents),
      discount: 100n,
    },
    updatedAt: timestampFromDate(seenAt),
  });
}

/** Changes a price, whether the snapshot has reached it or not, and waits until search has it. */
async function showChange(client: Client, address: string): Promise<number> {
  const transport = createGrpcTransport({ address, token });
  const price = priceOf(1, "US", "USD", 500);
  const observation = {
    operation: ObservationOperation.UPSERT,
    observedAt: timestampFromDate(new Date("2026-02-01T00:00:00Z")),
    record: { case: "price", value: price },
  } as const;
  async function* requests() {
    yield { observations: [observation] };
  }
  await Array.fromAsync(createClient(PricingIngestService, transport).ingestPricing(requests()));
  await transport.close();
  const startedAtMs = performance.now();
  for (;;) {
    const { rows } = await client.query<{ discounted: string }>(
      `select discounted from search.price join search.offer_number using (number)
        where offer_id = $1 and region = $2`,
      [price.offerId, price.region],
    );
    if (Number(rows[0]?.discounted) === 500) return (performance.now() - startedAtMs) / 1_000;
    await sleep(lookMs);
  }
}

async function requireSamePrices(client: Client, prices: number): Promise<void> {
  // One price was changed.
  const sum = prices * 900 - 400;
  const { rows } = await client.query<{ count: string; sum: string }>(
    "select count(*), sum(discounted) from search.price",
  );
  const [found] = rows;
  if (Number(found?.count) !== prices || Number(found?.sum) !== sum) {
    throw new Error(`search has ${found?.count} prices of ${found?.sum} in all`);
  }
}

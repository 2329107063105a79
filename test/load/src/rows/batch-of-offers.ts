import { Agent, request } from "node:http";
import type { Contestants } from "../catalogue/start-contestants.ts";
import { median } from "../median.ts";
import { limitRow, rounded } from "../row.ts";
import type { Row } from "../row.ts";

/** Offers that are requested one by one, and in a batch. */
const comparedOffers = 100;
/** Most offers of a batch. */
const mostOffers = 1000;
/** Times that a batch is requested in a round. */
const batchesPerRound = 10;
/** What the largest batch may take, in milliseconds. */
const wantedMs = 150;

/** Row 25: many offers in one request, by one client, nothing cached. */
export function batchOfOffers(contestants: () => Promise<Contestants>): Row[] {
  return [
    {
      number: 25,
      case: `offers/s with price, ${comparedOffers} in one uncached request; peer: an uncached GET for each, one after the other`,
      goal: 20,
      async measure(report, { rounds }) {
        const client = new Client(await contestants());
        try {
          await client.getEach(comparedOffers);
          await client.getBatches(comparedOffers);
          const eachMs: number[] = [];
          const batchMs: number[] = [];
          for (let round = 1; round <= rounds; round++) {
            eachMs.push(await client.getEach(comparedOffers));
            batchMs.push(median(await client.getBatches(comparedOffers)));
            report(
              `round ${round}/${rounds}: each ${eachMs.at(-1)?.toFixed(0)} ms, at once ${batchMs.at(-1)?.toFixed(1)} ms`,
            );
          }
          const perSecond = (ms: number) => Math.round((comparedOffers / ms) * 1000);
          const [ours, peer] = [median(batchMs), median(eachMs)];
          return { ours: perSecond(ours), peer: perSecond(peer), ratio: rounded(peer / ours) };
        } finally {
          client.close();
        }
      },
    },
    limitRow({
      number: 25,
      case: `ms of an uncached request for ${mostOffers} offers, the median; peer: the goal`,
      limit: wantedMs,
      async measure(report, { rounds }) {
        const client = new Client(await contestants());
        try {
          await client.getBatches(mostOffers);
          const tookMs: number[] = [];
          for (let round = 1; round <= rounds; round++) {
            tookMs.push(...(await client.getBatches(mostOffers)));
            report(`round ${round}/${rounds}: ${median(tookMs).toFixed(0)} ms`);
          }
          return rounded(median(tookMs));
        } finally {
          client.close();
        }
      },
    }),
  ];
}

/** A client with one persistent connection. */
class Client {
  readonly #url: string;
  /** Those with a price in the region first; there are fewer of them than a batch may have. */
  readonly #ids: readonly string[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor({ uncachedUrl, records }: Contestants) {
    this.#url = uncachedUrl;
    const { pricedOfferIds, offers } = records;
    this.#ids = [...new Set([...pricedOfferIds, ...offers.map(({ id }) => id)])];
  }

  /** How long so many offers take one after the other, in milliseconds. */
  async getEach(count: number): Promise<number> {
    const startedAtMs = performance.now();
    for (const id of this.#ids.slice(0, count)) await this.#ask(`/offers/${id}`);
    return performance.now() - startedAtMs;
  }

  /** How long each of some batches of so many offers takes, in milliseconds. */
  async getBatches(count: number): Promise<number[]> {
    const ids = this.#ids.slice(0, count);
    if (ids.length < count) throw new Error(`the catalogue has ${ids.length} offers`);
    const tookMs: number[] = [];
    for (let batch = 0; batch < batchesPerRound; batch++) {
      const startedAtMs = performance.now();
      await this.#ask("/offers/batch", JSON.stringify({ ids }));
      tookMs.push(performance.now() - startedAtMs);
    }
    return tookMs;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(path: string, body?: string): Promise<void> {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    await new Promise<void>((resolve, reject) => {
      const sent = request(this.#url + path, { agent: this.#agent, method, headers }, (reply) => {
        if (reply.statusCode !== 200) reject(new Error(`${path}: ${reply.statusCode}`));
        reply.on("error", reject).on("end", resolve).resume();
      });
      sent.on("error", reject).end(body);
    });
  }
}

import type { Contestants } from "../catalogue/start-contestants.ts";
import { measureHttp } from "../measure-http.ts";
import type { Row } from "../row.ts";

const nest = "NestJS 12 on Fastify with a Nest gRPC microservice";
const fastify = "Fastify and pg in one process";

/** Rows 2 to 5: reads that go all the way to PostgreSQL. */
export function uncachedGets(contestants: () => Promise<Contestants>): Row[] {
  const offers = ({ records }: Contestants) => records.pricedOfferIds.map((id) => `/offers/${id}`);
  const lists = ({ records }: Contestants) =>
    records.listOfferIds.map((id) => `/offers/${id}/collection`);
  const row = (
    number: number,
    goal: number,
    work: string,
    peer: string,
    pathsOf: (contestants: Contestants) => string[],
    peerUrlOf: (contestants: Contestants) => string,
  ): Row => ({
    number,
    goal,
    case: `uncached GET of ${work} with price, 32 connections; peer: ${peer}`,
    async measure(report, settings) {
      const all = await contestants();
      const { uncachedUrl: ourUrl } = all;
      const pair = { ourUrl, peerUrl: peerUrlOf(all), paths: pathsOf(all) };
      return await measureHttp(pair, settings, report);
    },
  });
  return [
    row(2, 3, "an offer", nest, offers, ({ nestUrl }) => nestUrl),
    row(3, 1.2, "an offer", fastify, offers, ({ fastifyUrl }) => fastifyUrl),
    row(4, 3, "a list of 20 offers", nest, lists, ({ nestUrl }) => nestUrl),
    row(5, 1.2, "a list of 20 offers", fastify, lists, ({ fastifyUrl }) => fastifyUrl),
  ];
}

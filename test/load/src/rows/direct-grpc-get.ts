import type { Contestants } from "../catalogue/start-contestants.ts";
import { startChild } from "../child-process.ts";
import type { Child } from "../child-process.ts";
import { checkSameOffers, nestGet, ourGet } from "../grpc-get.ts";
import type { GrpcGet } from "../grpc-get.ts";
import { measureInTurn } from "../measure-in-turn.ts";
import type { RoundResult, Side } from "../measure-in-turn.ts";
import type { Row } from "../row.ts";

const concurrency = 50;
const checkedOffers = 25;

/** Row 6: what callers in other languages get. */
export function directGrpcGet(contestants: () => Promise<Contestants>): Row {
  return {
    number: 6,
    case: "direct unary get of an offer, gRPC port, grpc-js client; peer: Nest gRPC microservice, same client",
    goal: 1.3,
    async measure(report, { roundSeconds, rounds }) {
      const { records, catalogGrpcAddress, nestGrpcAddress } = await contestants();
      const ours = { address: catalogGrpcAddress, get: ourGet };
      const peer = { address: nestGrpcAddress, get: nestGet() };
      await checkSameOffers(ours, peer, records.pricedOfferIds.slice(0, checkedOffers));
      const children: Child[] = [];
      async function start({ address, get }: { address: string; get: GrpcGet }): Promise<Side> {
        const requests = records.pricedOfferIds.map((id) => get.encode(id).toString("base64"));
        const { child } = await startChild("./processes/grpc-load.ts", [
          address,
          get.path,
          `${concurrency}`,
          `${roundSeconds}`,
          ...requests,
        ]);
        children.push(child);
        return async () => (await child.ask("round")) as RoundResult;
      }
      try {
        return await measureInTurn(await start(ours), await start(peer), rounds, report);
      } finally {
        await Promise.all(children.map((child) => child.stop()));
      }
    },
  };
}

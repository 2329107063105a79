import { setTimeout as sleep } from "node:timers/promises";
import { startTcpProxy } from "@storefront/testkit";
import { startGatewayProcess } from "../catalogue/start-gateway-process.ts";
import { startChild } from "../child-process.ts";
import type { Child } from "../child-process.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { GetPlan, GetResult } from "./get-plan.ts";
import { writeOffers, writePrices } from "./write-priced-offers.ts";

/** A gateway whose pricing becomes unavailable and comes back. */
export interface Outage {
  /** While it is available, before and after. */
  quiet: readonly GetResult[];
  /** While it refuses connections, then hangs, then is back. */
  unavailable: readonly GetResult[];
  /** From its return until a response has a price that was written meanwhile, in seconds. */
  returnSeconds: number;
}

const perSecond = 500;
const phaseSeconds = 20;
const offerIds = Array.from({ length: 25 }, (_none, index) => `kept-${index}`);
const listId = "list";
/** Its price changes while pricing is unavailable. */
const writtenId = "written";
const writtenPath = `/offers/${writtenId}/price`;
const paths = [
  `/offers/${listId}/collection`,
  ...offerIds.flatMap((id) => [`/offers/${id}`, `/offers/${id}/price`, `/offers/${id}/overview`]),
];
const firstCents = 1999n;
const laterCents = 999n;
const returnTimeoutSeconds = 30;
const pollMs = 10;

/** Measures all phases one after the other, on cached responses. */
export async function measureOutage(report: (progress: string) => void): Promise<Outage> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const started = await startPostgresStack();
    stops.push(() => started.stop());
    await writeOffers(started, offerIds, listId);
    await writeOffers(started, [writtenId], "other-list");
    await writePrices(started, [...offerIds, writtenId], firstCents);
    const { services } = started.stack;
    const pricingPort = Number(new URL(services["pricing"]?.url ?? "").port);
    let proxy = await startTcpProxy(pricingPort);
    stops.push(() => proxy.stop());
    const url = `http://127.0.0.1:${proxy.port}`;
    const gateway = await startGatewayProcess(
      { ...services, pricing: { url, grpcAddress: "" } },
      {},
    );
    stops.push(() => gateway.stop());
    const { child } = await startChild("./processes/paced-gets.ts", [gateway.url]);
    stops.push(() => child.stop());
    const ask = askBy(child, report);

    await child.ask(paths);
    const priceOf = priceAt(gateway.url + writtenPath);
    await priceOf();
    const quiet = await ask("quiet");
    await proxy.stop();
    const stopped = await ask("stopped");
    proxy = await startTcpProxy(pricingPort, proxy.port);
    proxy.swallow();
    const hung = await ask("hung");
    await writePrices(started, [writtenId], laterCents);
    const asking = ask("back");
    const returnedAtMs = performance.now();
    proxy.heal();
    while ((await priceOf()) !== Number(laterCents)) {
      if (performance.now() - returnedAtMs > returnTimeoutSeconds * 1000) {
        throw new Error(`The price is still the old one after ${returnTimeoutSeconds} s.`);
      }
      await sleep(pollMs);
    }
    const returnSeconds = (performance.now() - returnedAtMs) / 1000;
    report(`first fresh response after ${returnSeconds.toFixed(2)} s`);
    const back = await asking;
    const unavailable = [stopped, hung, back];
    return { quiet: [quiet, await ask("quiet")], unavailable, returnSeconds };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

function askBy(child: Child, report: (progress: string) => void) {
  return async (name: string): Promise<GetResult> => {
    const plan: GetPlan = { paths, perSecond, seconds: phaseSeconds };
    const result = (await child.ask({ ...plan })) as GetResult;
    const { asked, lacking, failed, p99Ms } = result;
    report(
      `pricing ${name}: ${asked} asked, ${lacking} without a price, ${failed} failed, p99 ${p99Ms.toFixed(1)} ms`,
    );
    return result;
  };
}

function priceAt(url: string) {
  return async (): Promise<number | undefined> => {
    const { price } = (await (await fetch(url)).json()) as { price?: { discountPrice: number } };
    return price?.discountPrice;
  };
}

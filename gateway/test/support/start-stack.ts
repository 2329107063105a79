import { createLogger } from "@storefront/telemetry";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createGateway } from "../../src/create-gateway.ts";
import type { GatewayOptions } from "../../src/create-gateway.ts";
import { ask } from "./http-client.ts";
import type { AskOptions, HttpAnswer } from "./http-client.ts";
import { startServices } from "./start-services.ts";
import type { TestServices } from "./start-services.ts";

/** A gateway over in-test services, for the tests of a file. */
export interface TestStack {
  services: TestServices;
  url: string;
  /** The lines that the gateway logged under a request id; logged once the answer is gone. */
  linesOf(requestId: unknown): Record<string, unknown>[];
  ask(url: string, options?: AskOptions): Promise<HttpAnswer>;
}

/** Starts a stack before the tests of a file and closes it after them. */
export function useStack(options: Partial<GatewayOptions> = {}): () => TestStack {
  let stack: TestStack | undefined;
  const current = (): TestStack => {
    if (stack === undefined) throw new Error("the stack has not started");
    return stack;
  };
  beforeAll(async () => {
    const services = await startServices();
    const log: Record<string, unknown>[] = [];
    const destination = {
      write: (line: string) => log.push(JSON.parse(line) as Record<string, unknown>),
    };
    const gateway = createGateway({
      serviceUrls: services.urls,
      logger: createLogger({ service: "gateway", destination }),
      ...options,
    });
    const { port } = await gateway.listen({ port: 0, host: "127.0.0.1" });
    const url = `http://127.0.0.1:${port}`;
    stack = {
      services,
      url,
      linesOf: (requestId) => log.filter((line) => line["requestId"] === requestId),
      ask: (path, askOptions) => ask(url, path, askOptions),
    };
    afterAll(async () => {
      await gateway.close();
      await services.close();
    });
  });
  beforeEach(() => current().services.reset());
  return current;
}

import { createLogger } from "@storefront/process";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { createGateway } from "../../src/create-gateway.ts";
import type { GatewayOptions } from "../../src/gateway-options.ts";
import { ask } from "./http-client.ts";
import type { AskOptions, HttpResponse } from "./http-client.ts";
import { startServices } from "./start-services.ts";
import type { TestServices } from "./start-services.ts";
import { adminToken } from "./webhooks.ts";

/** A gateway over in-test services, for the tests of a file. */
export interface TestStack {
  services: TestServices;
  url: string;
  /** Where its metrics are. */
  metricsUrl: string;
  /** The lines that the gateway logged under a request id; logged once the response is sent. */
  linesOf(requestId: unknown): Record<string, unknown>[];
  ask(url: string, options?: AskOptions): Promise<HttpResponse>;
}

/** Starts a stack, by default without a response cache, before the tests of a file and closes it after them. */
export function useStack(options: Partial<GatewayOptions> = {}): () => TestStack {
  let stack: TestStack | undefined;
  beforeAll(async () => {
    const services = await startServices();
    const gateway = await startGateway(services, {
      responseCacheBytes: 0,
      // The next test must not resume from the log of this one.
      streamLingerMs: 0,
      ...options,
    });
    stack = { services, ...gateway };
    afterAll(async () => {
      await gateway.close();
      await services.close();
    });
  });
  const current = () => started(stack);
  beforeEach(() => current().services.reset());
  return current;
}

/** As `useStack`, with a new gateway for every test, whose cache is empty and whose feeds are followed. */
export function useCachingStack(options: Partial<GatewayOptions> = {}): () => TestStack {
  let services: TestServices | undefined;
  let stack: TestStack | undefined;
  beforeAll(async () => {
    services = await startServices();
    afterAll(() => services?.close());
  });
  beforeEach(async () => {
    const { feeds } = started(services);
    const areFollowedBy = (count: number) =>
      Object.values(feeds).every(({ watching }) => watching === count);
    started(services).reset();
    for (const feed of Object.values(feeds)) feed.resume();
    const gateway = await startGateway(started(services), options);
    stack = { services: started(services), ...gateway };
    await vi.waitUntil(() => areFollowedBy(1));
    return async () => {
      await gateway.close();
      await vi.waitUntil(() => areFollowedBy(0));
    };
  });
  return () => started(stack);
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("the stack has not started");
  return part;
}

/** Requests for administrators have the token unless they set their own. */
function withToken(path: string, options?: AskOptions): AskOptions | undefined {
  if (!path.startsWith("/webhooks")) return options;
  const authorization = `Bearer ${adminToken}`;
  return { ...options, headers: { authorization, ...options?.headers } };
}

/** A listening gateway over services; the caller closes it. */
export async function startGateway(
  services: TestServices,
  options: Partial<GatewayOptions>,
  create: typeof createGateway = createGateway,
): Promise<Omit<TestStack, "services"> & { close: () => Promise<void> }> {
  const log: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => log.push(JSON.parse(line) as Record<string, unknown>),
  };
  const gateway = create({
    serviceUrls: services.urls,
    adminTokens: [adminToken],
    webhooksUrl: services.webhooksUrl,
    logger: createLogger({ service: "gateway", destination }),
    ...options,
  });
  const host = "127.0.0.1";
  const { port, metricsPort } = await gateway.listen({ port: 0, host, metricsPort: 0 });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    linesOf: (requestId) => log.filter((line) => line["requestId"] === requestId),
    ask: (path, askOptions) => ask(url, path, withToken(path, askOptions)),
    close: () => gateway.close(),
  };
}

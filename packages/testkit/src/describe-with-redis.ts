import { beforeAll, inject } from "vitest";
import { describeUnlessMissing } from "./describe-unless-missing.ts";
import { askServerBroker } from "./servers/server-broker.ts";

/** The run's Redis server, which test files share: use separate keys. */
export interface TestRedis {
  /** `redis://` address; in hooks and tests, not while the suite is described. */
  url(): string;
}

/** Describes a suite that needs a Redis server. */
export function describeWithRedis(name: string, suite: (redis: TestRedis) => void): void {
  describeUnlessMissing(`${name} (redis)`, missingRedis(), () => {
    let url = "";
    beforeAll(async () => {
      url = await askServerBroker(inject("testServers").brokerUrl, "redis");
    });
    suite({ url: () => url });
  });
}

/** Why there is no Redis for tests, undefined when there is one. */
export function missingRedis(): string | undefined {
  return inject("testServers").redis
    ? undefined
    : "no Redis: install redis-server, or name one by TEST_REDIS_URL";
}

import { beforeAll, describe, expect, it } from "vitest";
import { tokens } from "./shared-stack.ts";
import type { SharedStack } from "./shared-stack.ts";

const { old: oldToken, new: newToken, catalog: ownToken } = tokens;

const observedAt = "2026-01-02T03:04:05.678Z";
const tag = { kind: "tag", observedAt, record: { id: "tag-1", name: "Heather" } };
const price = {
  offerId: "offer-1",
  region: "EURO",
  price: { currencyCode: "EUR", originalPrice: 2000, discountPrice: 1500 },
};

/** Tests of the shared stack. */
export function describeTokens(shared: () => SharedStack): void {
  describe("a stack with an old and a new token, and a separate one for the catalog", () => {
    let stack: SharedStack;
    beforeAll(() => {
      stack = shared();
    });

    const statusOf = async (observation: object, env: Record<string, string | undefined>) => {
      const none = { INGEST_TOKEN: undefined, CATALOG_INGEST_TOKEN: undefined };
      const stdin = `${JSON.stringify(observation)}\n`;
      return (await stack.cli(["import", "-"], { stdin, env: { ...none, ...env } })).status;
    };

    it.each([oldToken, newToken, `${newToken},${oldToken}`])("accepts %s", async (token) => {
      const observation = { kind: "price", observedAt, record: price };
      expect(await statusOf(observation, { INGEST_TOKEN: token })).toBe(0);
    });

    it("accepts the catalog's own token for the catalog only", async () => {
      const observation = { kind: "price", observedAt, record: price };
      expect(await statusOf(observation, { INGEST_TOKEN: ownToken })).toBe(1);
      expect(await statusOf(tag, { INGEST_TOKEN: oldToken })).toBe(1);
      const both = { INGEST_TOKEN: oldToken, CATALOG_INGEST_TOKEN: ownToken };
      expect(await statusOf(tag, both)).toBe(0);
      expect(await statusOf(observation, both)).toBe(0);
    });
  });
}

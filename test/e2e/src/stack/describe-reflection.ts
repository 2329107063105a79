import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import type { JsonObject } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { beforeAll, describe, expect, it } from "vitest";
import { reflectService } from "../reflect.ts";
import type { SharedStack } from "./shared-stack.ts";

const observedAt = "2026-01-02T03:04:05.678Z";
const offer = { id: "offer-1", namespace: "calluna", title: "Heather", offerType: "BASE_GAME" };
const price = {
  offerId: "offer-1",
  region: "EURO",
  price: { currencyCode: "EUR", originalPrice: 2000, discountPrice: 1500 },
};

/** Tests of the shared stack. */
export function describeReflection(shared: () => SharedStack): void {
  describe("a gRPC client in another language", () => {
    let stack: SharedStack;

    beforeAll(async () => {
      stack = shared();
      const lines = [
        { kind: "offer", observedAt, record: offer },
        { kind: "price", observedAt, record: price },
      ];
      const stdin = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      await stack.cli(["import", "-"], { stdin });
    });

    /** Calls a unary method with what reflection tells of it, in JSON. */
    const call = async (service: string, typeName: string, method: string, request: JsonObject) => {
      const client = new Client(
        stack.services[service]?.grpcAddress ?? "",
        credentials.createInsecure(),
      );
      try {
        const registry = await reflectService(client, typeName);
        const desc = registry.getService(typeName)?.methods.find(({ name }) => name === method);
        if (desc === undefined)
          throw new Error(`reflection does not tell of ${typeName}.${method}`);
        const { input, output } = desc;
        const answer = await new Promise<Uint8Array>((resolve, reject) => {
          client.makeUnaryRequest(
            `/${typeName}/${method}`,
            (bytes: Uint8Array) => Buffer.from(bytes),
            (bytes) => bytes,
            toBinary(input, fromJson(input, request)),
            (error, value) => (value === undefined ? reject(error) : resolve(value)),
          );
        });
        return toJson(output, fromBinary(output, answer), { registry });
      } finally {
        client.close();
      }
    };

    it("reads an offer by the descriptors that reflection gives", async () => {
      const answer = await call("catalog", "storefront.catalog.v1.CatalogService", "GetOffer", {
        offerId: "offer-1",
      });
      expect(answer).toEqual({ offer });
    });

    it("reads a price by the descriptors that reflection gives", async () => {
      const answer = await call("pricing", "storefront.pricing.v1.PricingService", "GetPrice", {
        offerId: "offer-1",
        region: "EURO",
      });
      expect(answer).toMatchObject({
        price: { offerId: "offer-1", price: { currencyCode: "EUR", discount: "500" } },
      });
    });

    it("asks for the health by the descriptors that reflection gives", async () => {
      const answer = await call("catalog", "grpc.health.v1.Health", "Check", {});
      expect(answer).toEqual({ status: "SERVING" });
    });
  });
}

import { expect, test } from "vitest";
import { zGatewayEnvironment } from "./config.ts";

const originsOf = (text: string) =>
  zGatewayEnvironment.safeParse({ CORS_ORIGINS: text }).data?.CORS_ORIGINS;

test("allowed origins are listed as browsers send them", () => {
  const origins = ["https://shop.example", "http://localhost:3000"];
  expect(originsOf(` ${origins.join(" , ")},`)).toEqual(origins);
  expect(originsOf("")).toEqual([]);
});

test.for(["shop.example", "https://shop.example/", "https://shop.example:443", "*", "null"])(
  "%s is refused, since no browser sends it as an origin to allow",
  (text) => {
    expect(originsOf(`https://other.example,${text}`)).toBeUndefined();
  },
);

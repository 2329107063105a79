import { expect, it, test } from "vitest";
import { directUrl, isNeonPoolerUrl, isNeonUrl } from "./database-url.ts";

const direct =
  "postgres://owner:a%2Fb@ep-cool-moon-1.eu-central-1.aws.neon.tech/db?sslmode=require";
const pooled = direct.replace("moon-1", "moon-1-pooler");
const elsewhere = "postgres://owner@my-pooler-host.example/db";

it("bypasses Neon's pooler, which does not deliver notifications", () => {
  expect(directUrl(pooled)).toBe(direct);
  expect(directUrl(pooled.replace("postgres:", "neon:"))).toBe(
    direct.replace("postgres:", "neon:"),
  );
});

it("does not change other URLs", () => {
  for (const url of [direct, elsewhere, "pglite:memory:", "no URL"])
    expect(directUrl(url)).toBe(url);
});

test("Neon and its pooler are detected by their hosts", () => {
  expect([direct, pooled, elsewhere, "pglite:data"].map(isNeonUrl)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([direct, pooled, elsewhere, "no URL"].map(isNeonPoolerUrl)).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

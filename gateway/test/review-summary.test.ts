import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { post } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const none = { count: 0, average: null, histogram: Array.from({ length: 10 }, () => 0) };
const one = { count: 1, average: 7.5, histogram: [0, 0, 0, 0, 0, 0, 1, 0, 0, 0] };
const failing = () => {
  stack().services.interfere.set("batchGetRatings", () => Promise.reject(new Error("down")));
};

test("ratings are summed up in an offer's reviews and overview", async () => {
  for (const part of ["reviews", "overview"]) {
    const rated = await stack().ask(`/offers/full/${part}`);
    expect(rated.json).toMatchObject({ reviewSummary: one });
    const unrated = await stack().ask(`/offers/bare/${part}`);
    expect(unrated.json).toMatchObject({ reviewSummary: none });
  }
});

test("a batch has ratings where they are requested", async () => {
  const ask = async (body: object) => {
    const { json } = await stack().ask(
      "/offers/batch",
      post({ ids: ["bare", "x", "full"], ...body }),
    );
    return Object(json)["offers"].map((offer: object) => Object(offer)["reviewSummary"]);
  };
  expect(await ask({ reviewSummary: true })).toEqual([none, one]);
  expect(await ask({ reviewSummary: true, fields: ["title"] })).toEqual([none, one]);
  expect(await ask({})).toEqual([undefined, undefined]);
});

test("an overview and a batch are served without ratings that are unavailable", async () => {
  failing();
  const overview = await stack().ask("/offers/full/overview");
  expect(overview.json).toMatchObject({ offer: { id: "full" }, reviewSummary: null });
  expect(overview.headers["catalog-degraded"]).toBe("reviews");
  const body = post({ ids: ["full"], reviewSummary: true });
  const batch = await stack().ask("/offers/batch?country=JP", body);
  expect(batch.json).toMatchObject({ offers: [{ id: "full", reviewSummary: null }] });
});

test("an overview is complete without ratings if the reviews service is too old for them", async () => {
  const tooOld = () => Promise.reject(new ConnectError("no such method", Code.Unimplemented));
  stack().services.interfere.set("batchGetRatings", tooOld);
  const { json, headers } = await stack().ask("/offers/full/overview?country=BR");
  expect(json).toMatchObject({ offer: { id: "full" }, reviewSummary: null });
  expect(headers).not.toHaveProperty("catalog-degraded");
});

import { createTRPCClient, httpLink } from "@trpc/client";
import { expect, test } from "vitest";
import type { AppRouter } from "../src/operations/router.ts";
import { post } from "./support/http-client.ts";
import type { AskOptions } from "./support/http-client.ts";
import { savedQueryId } from "./support/search.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";
import { adminToken, deliveryId, webhookId } from "./support/webhooks.ts";

const stack = useCachingStack();
const withoutAdmin = useStack({ adminTokens: undefined });

const patch = (body: unknown): AskOptions => ({ ...post(body), method: "PATCH" });
const newWebhook = { url: "https://new.example/", events: ["price"], country: "de" };

const requests: [string, AskOptions][] = [
  ["/webhooks", post(newWebhook)],
  ["/webhooks", {}],
  [`/webhooks/${webhookId}`, {}],
  [`/webhooks/${webhookId}`, patch({ active: false })],
  [`/webhooks/${webhookId}`, { method: "DELETE" }],
  [`/webhooks/${webhookId}/test`, { method: "POST" }],
  [`/webhooks/${webhookId}/rotate-secret`, { method: "POST" }],
  [`/webhooks/${webhookId}/deliveries`, {}],
  [`/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`, { method: "POST" }],
];

test("without ADMIN_TOKEN there are no webhooks", async () => {
  for (const [path, options] of requests) {
    const { status, json } = await withoutAdmin().ask(path, options);
    expect({ path, status }).toEqual({ path, status: 404 });
    expect(json).toEqual({ message: "Path not found", error: "NOT_FOUND" });
  }
  const url = `${withoutAdmin().url}/trpc/webhooks.listWebhooks`;
  expect((await fetch(url)).status).toBe(404);
});

test("a request without a token of ADMIN_TOKEN is 401 before its body is read", async () => {
  for (const authorization of ["", "Bearer another", `Basic ${adminToken}`]) {
    for (const [path, options] of requests) {
      const headers = { ...options.headers, authorization };
      const body = options.body === undefined ? {} : { body: "{" };
      const response = await stack().ask(path, { ...options, ...body, headers });
      expect({ path, status: response.status }).toEqual({ path, status: 401 });
      expect(response.json).toHaveProperty("error", "UNAUTHENTICATED");
      expect(response.headers).toMatchObject({
        "www-authenticate": "Bearer",
        "cache-control": "no-store",
      });
    }
  }
  expect(stack().services.calls).toEqual([]);
});

test("a webhook is created with its secret, listed without it, changed and deleted", async () => {
  const created = await stack().ask("/webhooks", post(newWebhook));
  expect(created.status).toBe(201);
  const webhook = {
    id: "new",
    url: newWebhook.url,
    events: ["price"],
    queryId: null,
    country: "DE",
    description: null,
    active: true,
    pausedReason: null,
    failingSince: null,
    createdAt: "2026-03-01T10:00:00.000Z",
  };
  expect(created.json).toEqual({ ...webhook, secret: "whsec_one" });
  const [call] = stack().services.calls;
  expect(call?.request).toMatchObject({ country: "DE", region: "EURO" });
  expect(call?.headers.get("authorization")).toBe(`Bearer ${adminToken}`);

  const listed = await stack().ask("/webhooks");
  expect(listed.json).toHaveProperty("webhooks", [expect.anything(), webhook]);
  expect(listed.headers["cache-control"]).toBe("no-store");
  expect((await stack().ask("/webhooks/new")).json).toEqual(webhook);

  const paused = await stack().ask("/webhooks/new", patch({ active: false }));
  expect(paused.json).toEqual({ ...webhook, active: false });
  expect((await stack().ask("/webhooks/new")).json).toEqual({ ...webhook, active: false });

  const deleted = await stack().ask("/webhooks/new", { method: "DELETE" });
  expect(deleted).toMatchObject({ status: 204, text: "" });
  expect(deleted.headers).not.toHaveProperty("content-length");
  expect((await stack().ask("/webhooks/new")).status).toBe(404);
});

test("deliveries are tested, listed in parts and repeated, and the secret replaced", async () => {
  const path = `/webhooks/${webhookId}`;
  const delivery = {
    id: deliveryId,
    type: "price.changed",
    status: "delivered",
    attempts: 2,
    responseStatus: 204,
    lastAttemptAt: "2026-03-02T10:00:00.000Z",
    nextAttemptAt: null,
  };
  const posted = { method: "POST" };
  const tested = await stack().ask(`${path}/test`, posted);
  expect(tested).toMatchObject({ status: 202, json: { ...delivery, type: "webhook.test" } });
  const first = await stack().ask(`${path}/deliveries?limit=1`);
  expect(first.json).toEqual({ deliveries: [delivery], next: deliveryId });
  const rest = await stack().ask(`${path}/deliveries?after=${deliveryId}`);
  expect(rest.json).toEqual({ deliveries: [], next: null });
  const repeated = await stack().ask(`${path}/deliveries/${deliveryId}/redeliver`, posted);
  expect(repeated).toMatchObject({ status: 202, json: { ...delivery, status: "pending" } });
  const rotated = await stack().ask(`${path}/rotate-secret`, posted);
  expect(rotated).toMatchObject({ status: 200, json: { secret: "whsec_two" } });
});

const refused: [body: object, message: string][] = [
  [{ url: "http://shop.example" }, "url must be an https:// address."],
  [{ events: [] }, "events must have at least one element."],
  [{ events: ["price", "price"] }, "events must have no element twice."],
  [{ events: ["offer"] }, "events[0] must be one of entry, price, query."],
  [{ events: ["query"] }, "queryId must be given for query."],
  [{ queryId: savedQueryId }, "queryId must be given only for query."],
  [{ events: ["query"], queryId: "unknown" }, "queryId must be the id of a saved query."],
  [{ country: "MX2" }, "country must be two letters."],
  [{ country: "QQ" }, "country must be in a pricing region: QQ is in none."],
];

test.for(refused)("%j is 400 with the rule", async ([body, message]) => {
  const { status, json } = await stack().ask("/webhooks", post({ ...newWebhook, ...body }));
  expect({ status, json }).toEqual({ status: 400, json: { error: "INVALID_ARGUMENT", message } });
});

test("a webhook of a saved query is created", async () => {
  const body = { ...newWebhook, events: ["query"], queryId: savedQueryId };
  expect((await stack().ask("/webhooks", post(body))).json).toMatchObject({
    events: ["query"],
    queryId: savedQueryId,
  });
});

test("a browser may send PATCH and DELETE with a token", async () => {
  const headers = {
    origin: "https://admin.example",
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization,content-type",
  };
  const path = `/webhooks/${webhookId}`;
  const { status, headers: allowed } = await stack().ask(path, { method: "OPTIONS", headers });
  expect(status).toBe(204);
  expect(allowed["access-control-allow-methods"]).toBe("GET, HEAD, PATCH, DELETE, OPTIONS");
  expect(allowed["access-control-allow-headers"]).toBe("authorization,content-type");
});

test("tRPC asks for the token too", async () => {
  const clientWith = (token: string) =>
    createTRPCClient<AppRouter>({
      links: [
        httpLink({
          url: `${stack().url}/trpc`,
          headers: { authorization: `Bearer ${token}` },
        }),
      ],
    });
  const { webhooks } = clientWith(adminToken);
  expect(await webhooks.getWebhook.query({ id: webhookId })).toHaveProperty("id", webhookId);
  await webhooks.updateWebhook.mutate({ id: webhookId, active: false });
  expect(await webhooks.deleteWebhook.mutate({ id: webhookId })).toBeNull();
  const refusal = { data: { httpStatus: 401, error: "UNAUTHENTICATED" } };
  const { webhooks: others } = clientWith("another");
  await expect(others.listWebhooks.query()).rejects.toMatchObject(refusal);
  await expect(others.deleteWebhook.mutate({ id: webhookId })).rejects.toMatchObject(refusal);
});

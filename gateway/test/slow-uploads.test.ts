import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";

const plain = useStack();
const caching = useCachingStack();

test.for([
  ["without a response cache", plain],
  ["with one", caching],
] as const)("a body that arrives slowly leaves the response its full time, %s", async ([, on]) => {
  const body = JSON.stringify({ title: "star" });
  const upload = request(`${on().url}/search/v2/search`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": body.length,
      // Reports when the headers have arrived.
      expect: "100-continue",
    },
  });
  await once(upload, "continue");
  passSeconds(10);
  const responded = once(upload, "response");
  upload.end(body);
  const [response] = (await responded) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
});

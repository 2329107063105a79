import { expect, test } from "vitest";
import openApiDocument from "../openapi.json" with { type: "json" };
import { postText } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const limited = useStack({
  responseCacheBytes: 1_000_000,
  protection: { rateLimits: { limitPerMinute: 3, apiKeys: [] } },
});

const open = useStack();

/** Of HTTP itself, of browsers' security and of CORS: the same on every answer of any kind. */
const ofTheProtocol =
  /^(connection|content-.*|cross-origin-.*|date|keep-alive|referrer-policy|strict-transport-security|transfer-encoding|x-content-type-options|access-control-.*)$/;

const documented = (status: "200" | "404" | "default") =>
  Object.keys(openApiDocument.paths["/offers/{id}"].get.responses[status].headers).map((name) =>
    name.toLowerCase(),
  );

test("answers of a deprecated operation say since when, failures included", async () => {
  const answers = [
    await open().ask("/search", postText("{}")),
    await open().ask("/search", postText("{")),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  for (const { headers } of answers) {
    expect(headers).toMatchObject({ deprecation: "@1795219200" });
    expect(headers["access-control-expose-headers"]).toContain("Deprecation");
    expect(headers).not.toHaveProperty("sunset");
  }
  const { responses } = openApiDocument.paths["/search"].post;
  for (const { headers } of Object.values(responses)) expect(headers).toHaveProperty("Deprecation");
  const successor = await open().ask("/search/v2/search", postText("{}"));
  expect(successor.headers).not.toHaveProperty("deprecation");
});

test("answers carry no header that the document does not have", async () => {
  const stack = limited();
  const answers = [
    { status: "200", answer: await stack.ask("/offers/full?country=DE") },
    { status: "200", answer: await stack.ask("/offers/full?country=DE") },
    { status: "404", answer: await stack.ask("/offers/unknown") },
    { status: "default", answer: await stack.ask("/offers/full") },
  ] as const;
  expect(answers.map(({ answer }) => answer.status)).toEqual([200, 200, 404, 429]);
  for (const { status, answer } of answers) {
    const own = Object.keys(answer.headers).filter((name) => !ofTheProtocol.test(name));
    expect(documented(status)).toEqual(expect.arrayContaining(own));
  }
  expect(answers[1].answer.headers).toHaveProperty("age");
  expect(answers[3].answer.headers).toHaveProperty("retry-after");
});

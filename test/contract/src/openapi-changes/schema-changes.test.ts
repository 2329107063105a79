import { expect, test } from "vitest";
import { createSchemaComparison } from "./schema-changes.ts";

const empty = { before: {}, after: {} };

test.for([
  [
    "the same in another form",
    { type: ["string", "null"] },
    { anyOf: [{ type: "null" }, { type: "string" }] },
    0,
    0,
  ],
  ["one more type", { type: "string" }, { type: ["string", "null"] }, 0, 1],
  ["one type less", { type: ["string", "null"] }, { type: "string" }, 1, 0],
  ["another type", { type: "string" }, { type: "integer" }, 1, 1],
  ["a lower maximum", { type: "integer", maximum: 9 }, { type: "integer", maximum: 8 }, 1, 0],
  ["listed values", { type: "string" }, { enum: ["a", "b"] }, 1, 0],
] as const)("%s", ([, before, after, inRequests, inAnswers]) => {
  const changes = createSchemaComparison(empty);
  expect(changes("here", "request", before, after)).toHaveLength(inRequests);
  expect(changes("here", "answer", before, after)).toHaveLength(inAnswers);
});

test("a schema that holds itself is compared to its end", () => {
  const documentWith = (size: object) => ({
    components: {
      schemas: {
        Box: {
          type: "object",
          properties: {
            size,
            inner: { anyOf: [{ $ref: "#/components/schemas/Box" }, { type: "null" }] },
          },
        },
      },
    },
  });
  const documents = {
    before: documentWith({ type: "integer" }),
    after: documentWith({ type: "string" }),
  };
  const box = { $ref: "#/components/schemas/Box" };
  const changes = createSchemaComparison(documents)("here", "request", box, box);
  expect(changes).toContain("Box (request).size: no longer takes integer");
});

import { generateOpenApiDocument } from "trpc-to-openapi";
import type { OpenAPIObject } from "trpc-to-openapi";
import { z } from "zod";
import { initTRPC } from "@trpc/server";
import type { OperationMeta } from "../operation.ts";
import { operationTags } from "../operation.ts";
import { operationsOf } from "../rest/operation-endpoints.ts";
import { appRouter } from "../routers/router.ts";
import { streams } from "../routers/streams.ts";
import type { StreamOperation } from "../stream.ts";
import { bodyOf, queryParametersOf } from "./query-parameters.ts";
import { tidyDocument } from "./tidy-document.ts";

const tagDescriptions: Record<(typeof operationTags)[number], string> = {
  sandboxes: "Namespaces, and the assets and offers in them.",
  items: "Catalog items and their builds.",
  offers: "Store listings and their prices.",
  changelog: "Observed changes of records, for syncing.",
  "free games": "Giveaways.",
  search: "Offers by filters, text and meaning.",
  regions: "Where price lists apply.",
  health: "How the system is doing.",
};

/** The OpenAPI 3.1 document of every operation of the router. */
export function buildDocument(version: string): OpenAPIObject {
  const document = generateOpenApiDocument(documentedRouter(documentedOperations()), {
    title: "Storefront catalogue",
    description:
      "Offers, items, sandboxes, builds, prices and giveaways of a storefront. Clients ignore members they do not know; new ones may be added at any time.",
    version,
    baseUrl: "/",
    openApiVersion: "3.1.0",
    securitySchemes: {},
  });
  for (const operation of operationsOf(appRouter)) {
    const post = document.paths?.[operation.openapi.path]?.post;
    if (post !== undefined) post.parameters = queryParametersOf(operation);
  }
  document.tags = operationTags.map((name) => ({ name, description: tagDescriptions[name] }));
  return tidyDocument(document, new Set(streams.map(({ path }) => path)));
}

type DocumentedOperation = Pick<OperationMeta, "openapi" | "input" | "output">;

function documentedOperations(): DocumentedOperation[] {
  const operations = operationsOf(appRouter).map((operation) => ({
    ...operation,
    input: bodyOf(operation),
  }));
  return [...operations, ...streams.map(documentedStream)];
}

const zStreamHeaders = z.object({
  "Last-Event-ID": z
    .string()
    .meta({
      description: "Id of the last event that the client has got; the stream goes on after it.",
      example: "catalog-000000000001f",
    })
    .optional(),
});

function documentedStream(stream: StreamOperation): DocumentedOperation {
  const { path, operationId, tag, summary, description, input, event } = stream;
  const requestHeaders = zStreamHeaders;
  const names = { path, operationId, tags: [tag], summary, description };
  return {
    openapi: { method: "GET", ...names, protect: false, requestHeaders },
    input,
    output: event,
  };
}

// The generator wants each procedure's parsers where tRPC keeps them, and outputs have none there:
// tRPC would check every answer.
function documentedRouter(operations: DocumentedOperation[]) {
  const t = initTRPC.meta<Pick<OperationMeta, "openapi">>().create();
  const procedures = operations.map(({ openapi, input, output }) => [
    openapi.operationId,
    t.procedure
      .meta({ openapi })
      .input(input)
      .output(output)
      .query(() => undefined),
  ]);
  return t.router(Object.fromEntries(procedures));
}

import { generateOpenApiDocument } from "trpc-to-openapi";
import type { OpenAPIObject, OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import { initTRPC } from "@trpc/server";
import { operationTags } from "../operations/operation.ts";
import type { OperationMeta } from "../operations/operation.ts";
import { operationsOf } from "../operations/operations-of.ts";
import { appRouter } from "../operations/router.ts";
import { getSnapshot } from "../operations/snapshot/get-snapshot.ts";
import type { DownloadOperation } from "../operations/snapshot/get-snapshot.ts";
import type { StreamOperation } from "../operations/stream.ts";
import { streams } from "../operations/streams.ts";
import type { WebFeed } from "../operations/web-feed.ts";
import { webFeeds } from "../operations/web-feeds.ts";
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

const overview = `Offers, items, sandboxes, builds, prices, giveaways and reviews of a storefront, their changes, and search over them.

Clients ignore members they do not know; new ones may be added at any time. A null member is unknown. Amounts are in minor units of their currency, times are ISO 8601 in UTC. HEAD answers as GET, without the body. Where the country is not given it is taken from the cookie \`CATALOG_COUNTRY\`, else it is \`US\`.

Every failure is \`{"message", "error"}\` with a stable \`error\`. Parts that are not needed for an answer, such as prices in a list, never fail it: they are left out, and \`Catalog-Degraded\` names the service.

This document is at [/openapi.json](/openapi.json), to be read and tried at [/docs](/docs).`;

/** The OpenAPI 3.1 document of every operation of the router. */
export function buildDocument(version: string): OpenAPIObject {
  const document = generateOpenApiDocument(documentedRouter(documentedOperations()), {
    title: "Storefront catalogue",
    description: overview,
    version,
    baseUrl: "/",
    openApiVersion: "3.1.0",
    securitySchemes: {
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "X-Api-Key",
        description: "Gives a client its own rate limit, where the operator has set limits.",
      },
    },
  });
  Object.assign(document.info, {
    contact: { name: "The operator of this catalogue" },
    license: { name: "MIT", url: "https://opensource.org/license/mit" },
  });
  // No operation needs a key.
  document.security = [{}, { apiKey: [] }];
  const operations = operationsOf(appRouter);
  for (const operation of operations) {
    const pathItem = document.paths?.[operation.openapi.path];
    if (pathItem?.post !== undefined) pathItem.post.parameters = queryParametersOf(operation);
    const found = pathItem?.get ?? pathItem?.post;
    if (found !== undefined && "country" in operation.input.shape) {
      found.parameters = [...(found.parameters ?? []), countryCookie];
    }
  }
  for (const { path, input } of [...webFeeds, ...streams]) {
    const found = document.paths?.[path]?.get;
    if (found !== undefined && "country" in input.shape) {
      found.parameters = [...(found.parameters ?? []), countryCookie];
    }
  }
  document.tags = operationTags.map((name) => ({ name, description: tagDescriptions[name] }));
  return tidyDocument(document, {
    streamPaths: new Set(streams.map(({ path }) => path)),
    contentTypes: new Map(
      [...webFeeds, getSnapshot].map(({ path, contentType }) => [path, contentType]),
    ),
    downloadPaths: new Set([getSnapshot.path]),
    bodyExamples: new Map(
      operations.map(({ openapi, bodyExample }) => [openapi.operationId, bodyExample]),
    ),
  });
}

/** The parameter that a browser sends by itself. */
const countryCookie = {
  name: "CATALOG_COUNTRY",
  in: "cookie" as const,
  required: false,
  schema: {
    type: "string" as const,
    description:
      "Country of requests that do not give `country`; one that is not two letters is ignored.",
    examples: ["DE"],
  },
};

interface DocumentedOperation extends Pick<OperationMeta, "input" | "output"> {
  openapi: NonNullable<OpenApiMeta["openapi"]> & { operationId: string };
}

function documentedOperations(): DocumentedOperation[] {
  const operations = operationsOf(appRouter).map((operation) => ({
    ...operation,
    input: bodyOf(operation),
  }));
  const files = [...webFeeds, getSnapshot].map(documentedFile);
  return [...operations, ...streams.map(documentedStream), ...files];
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

function documentedFile(file: WebFeed | DownloadOperation): DocumentedOperation {
  const { path, operationId, tag, summary, description, input, output } = file;
  const names = { path, operationId, tags: [tag], summary, description };
  return { openapi: { method: "GET", ...names, protect: false }, input, output };
}

// The generator wants each procedure's parsers where tRPC keeps them, and outputs have none there:
// tRPC would check every answer.
function documentedRouter(operations: DocumentedOperation[]) {
  const t = initTRPC.meta<Pick<DocumentedOperation, "openapi">>().create();
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

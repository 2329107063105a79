import { generateOpenApiDocument } from "trpc-to-openapi";
import type { OpenAPIObject, OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import { initTRPC } from "@trpc/server";
import { operationTags } from "../operations/operation.ts";
import type { Described, OperationMeta, OperationMethod } from "../operations/operation.ts";
import { hasBody, operationsOf } from "../operations/operations-of.ts";
import { appRouter, streams, webFeeds } from "../operations/router.ts";
import { getSnapshot } from "../operations/snapshot/snapshot.ts";
import type { DownloadOperation, StreamOperation, WebFeed } from "../operations/rest-operation.ts";
import { failureStatuses } from "./error-responses.ts";
import { tidyDocument } from "./tidy-document.ts";
import type { Supplement } from "./tidy-document.ts";
import { isObject } from "./tidy-schema.ts";

const tagDescriptions: Record<(typeof operationTags)[number], string> = {
  sandboxes: "Namespaces, and the assets and offers in them.",
  items: "Catalog items and their builds.",
  offers: "Store listings and their prices.",
  changelog: "Observed changes of records, for syncing.",
  "free games": "Giveaways.",
  search: "Offers by filters, text and meaning.",
  regions: "Where price lists apply.",
  webhooks: "Endpoints that changes are sent to, managed by the operator.",
  health: "How the system is doing.",
};

const overview = `Offers, items, sandboxes, builds, prices, giveaways and reviews of a storefront, their changes, and search over them.

Clients ignore members they do not know; new ones may be added at any time. A null member is unknown. Amounts are in minor units of their currency, times are ISO 8601 in UTC. HEAD responds as GET does, without the body. Without a country, that of the cookie \`CATALOG_COUNTRY\` is used, else \`US\`.

Every failure is \`{"message", "error"}\` with a stable \`error\`. A failure of an optional part, such as the prices in a list, does not fail the request: the part is left out, and \`Catalog-Degraded\` names the service.

This document is at [/openapi.json](/openapi.json), to be read and tried at [/docs](/docs).`;

/** The OpenAPI 3.1 document of every operation of the router. */
export function buildDocument(version: string): OpenAPIObject {
  const operations = documentedOperations();
  const document = generateOpenApiDocument(documentedRouter(operations), {
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
      bearer: {
        type: "http",
        scheme: "bearer",
        description: "The same key in `Authorization`; `X-Api-Key` counts more.",
      },
      adminToken: {
        type: "http",
        scheme: "bearer",
        description: "A token of the operator. Without one configured the operations do not exist.",
      },
    },
  });
  Object.assign(document.info, {
    contact: { name: "The operator of this catalogue" },
    license: { name: "MIT", url: "https://opensource.org/license/mit" },
  });
  for (const { openapi, queryParameters, takesCountry } of operations) {
    const found = document.paths?.[openapi.path]?.[memberOfMethod[openapi.method]];
    if (found === undefined) continue;
    const ofGenerator = (found.parameters ?? []).filter(
      (parameter) => openapi.method === "GET" || ("in" in parameter && parameter.in === "path"),
    );
    found.parameters = [...ofGenerator, ...(queryParameters ?? [])];
    if (takesCountry) found.parameters.push(countryCookie);
  }
  document.tags = operationTags.map((name) => ({ name, description: tagDescriptions[name] }));
  return tidyDocument(
    document,
    new Map(operations.map((operation) => [operation.openapi.operationId, operation])),
  );
}

/** Where the document has the operation of a path. */
const memberOfMethod = { GET: "get", POST: "post", PATCH: "patch", DELETE: "delete" } as const;

/** The parameter that a browser sends automatically. */
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

/** What the document is written from: all that there is by REST, but for probes and the document itself. */
export interface DocumentedOperation extends Supplement, Pick<OperationMeta, "output"> {
  openapi: NonNullable<OpenApiMeta["openapi"]> & { operationId: string; method: OperationMethod };
  /** Of a POST its body. */
  input: z.ZodObject;
  /** Of a POST, and lists of a GET; the others of a GET are its input. */
  queryParameters?: QueryParameter[];
  takesCountry: boolean;
}

/** Every operation of the document. */
export function documentedOperations(): DocumentedOperation[] {
  const operations = operationsOf(appRouter).map((operation) => {
    const { method, path, input, isAdmin } = operation;
    const queryNames =
      method === "GET"
        ? Object.keys(input.shape).filter((name) => !path.includes(`{${name}}`))
        : operation.queryNames;
    const others = Object.entries(input.shape).filter(([name]) => !queryNames.includes(name));
    return {
      ...operation,
      openapi: describedOf(method, operation),
      queryParameters: queryParametersOf(input, queryNames),
      failures: failureStatuses(hasBody(operation), operation.failures),
      takesCountry: !isAdmin && "country" in input.shape,
      input: queryNames.length === 0 ? input : z.object(Object.fromEntries(others)),
    };
  });
  return [
    ...operations,
    ...streams.map(documentedStream),
    ...webFeeds.map(documentedFile),
    { ...documentedFile(getSnapshot), form: "file" },
  ];
}

/** A query parameter of the document; its schema still has its description. */
type QueryParameter = {
  name: string;
  in: "query";
  required: boolean;
  schema: Record<string, unknown>;
};

/** The query parameters. The generator omits those of a POST, lists, and descriptions of optional members. */
function queryParametersOf(input: z.ZodObject, queryNames: readonly string[]): QueryParameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  return queryNames.map((name) => {
    const schema = properties[name];
    return {
      in: "query",
      name,
      required: required.includes(name),
      schema: isObject(schema) ? schema : {},
    };
  });
}

const zStreamHeaders = z.object({
  "Last-Event-ID": z
    .string()
    .meta({
      description: "Id of the last event that the client received; the stream continues after it.",
      example: "catalog-000000000001f",
    })
    .optional(),
});

function documentedStream({ event, ...stream }: StreamOperation): DocumentedOperation {
  const { openapi, ...operation } = documentedFile({ ...stream, output: event });
  return { ...operation, openapi: { ...openapi, requestHeaders: zStreamHeaders }, form: "events" };
}

const optionalHeader = (description: string, example: string) =>
  z.string().meta({ description, example }).optional();

const exampleDate = "Mon, 23 Nov 2026 08:00:00 GMT";

const zDownloadHeaders = z.object({
  Range: optionalHeader(
    "The part of the file that is asked for: one range of bytes. Several or a malformed one count as none.",
    "bytes=1048576-",
  ),
  "If-Range": optionalHeader(
    "`ETag` or `Last-Modified` of the file that the range is of; of another file all is sent.",
    '"q2X9vLk1n0c3dQ0W6fZ4m8a1Yh4"',
  ),
  "If-Match": optionalHeader(
    "412 unless it names the file's `ETag`.",
    '"q2X9vLk1n0c3dQ0W6fZ4m8a1Yh4"',
  ),
  "If-Unmodified-Since": optionalHeader("412 if the file is newer.", exampleDate),
  "If-None-Match": optionalHeader(
    "304 if it names the file's `ETag`.",
    '"q2X9vLk1n0c3dQ0W6fZ4m8a1Yh4"',
  ),
  "If-Modified-Since": optionalHeader("304 unless the file is newer.", exampleDate),
});

function documentedFile(
  file: Omit<WebFeed | DownloadOperation, "contentType" | "ask"> & { contentType?: string },
): DocumentedOperation {
  const { input, output, contentType } = file;
  const requestHeaders = file === getSnapshot ? { requestHeaders: zDownloadHeaders } : {};
  return {
    openapi: { ...describedOf("GET", file), ...requestHeaders },
    input,
    output,
    failures: failureStatuses(false, file.failures),
    takesCountry: "country" in input.shape,
    ...(contentType !== undefined && { contentType }),
  };
}

/** As the generator reads it. */
function describedOf(
  method: OperationMethod,
  { path, operationId, tag, summary, description, deprecated }: Described,
) {
  const marks = deprecated === undefined ? {} : { deprecated: true as const };
  const tags: string[] = [tag];
  return { method, path, operationId, tags, summary, description, protect: false, ...marks };
}

// The generator wants each procedure's parsers where tRPC keeps them, and outputs have none there:
// tRPC would check every output.
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

import { create, fromBinary } from "@bufbuild/protobuf";
import type { MessageShape } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Client, credentials, status } from "@grpc/grpc-js";
import {
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus,
  HealthCheckResponseSchema,
  HealthListRequestSchema,
  HealthListResponseSchema,
} from "@storefront/contracts/grpc/health/v1/health";
import {
  ExtensionRequestSchema,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "@storefront/contracts/grpc/reflection/v1/reflection";
import type {
  ServerReflectionRequest,
  ServerReflectionResponse,
} from "@storefront/contracts/grpc/reflection/v1/reflection";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { deserializerOf, isGrpcStatus, serializerOf } from "../src/client/create-grpc-transport.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";

const {
  SERVING: serving,
  NOT_SERVING: notServing,
  SERVICE_UNKNOWN: serviceUnknown,
} = HealthCheckResponse_ServingStatus;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(options?: Parameters<typeof startEchoServer>[0]) {
  const server = await startEchoServer(options);
  const client = new Client(server.address, credentials.createInsecure());
  closers.push(
    () => server.close(),
    () => client.close(),
  );
  return { server, client };
}

async function check(client: Client, service: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      "/grpc.health.v1.Health/Check",
      serializerOf(HealthCheckRequestSchema),
      deserializerOf(HealthCheckResponseSchema),
      create(HealthCheckRequestSchema, { service }),
      (error, health) => (error === null ? resolve(health?.status ?? 0) : reject(error)),
    );
  });
}

function watch(client: Client, service = "") {
  return client.makeServerStreamRequest(
    "/grpc.health.v1.Health/Watch",
    serializerOf(HealthCheckRequestSchema),
    deserializerOf(HealthCheckResponseSchema),
    create(HealthCheckRequestSchema, { service }),
  );
}

/** Calls either version; both are the same on the wire. */
async function reflect(
  client: Client,
  version: string,
  messageRequest: ServerReflectionRequest["messageRequest"],
): Promise<ServerReflectionResponse["messageResponse"]> {
  const call = client.makeBidiStreamRequest(
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    serializerOf(ServerReflectionRequestSchema),
    deserializerOf(ServerReflectionResponseSchema),
  );
  call.end(create(ServerReflectionRequestSchema, { messageRequest }));
  const [response] = (await once(call, "data")) as [ServerReflectionResponse];
  call.resume();
  return response.messageResponse;
}

test("grpc.health.v1 has the server and each of its services", async () => {
  const { client } = await start();
  expect(await check(client, "")).toBe(serving);
  expect(await check(client, EchoService.typeName)).toBe(serving);
  const error: unknown = await check(client, "unknown.Service").catch((e: unknown) => e);
  expect(isGrpcStatus(error) && error.code).toBe(status.NOT_FOUND);
});

test("grpc.health.v1 lists all of them, and reports an unknown one to its watcher", async () => {
  const { client } = await start();
  const { statuses } = await new Promise<MessageShape<typeof HealthListResponseSchema>>(
    (resolve, reject) => {
      client.makeUnaryRequest(
        "/grpc.health.v1.Health/List",
        serializerOf(HealthListRequestSchema),
        deserializerOf(HealthListResponseSchema),
        create(HealthListRequestSchema),
        (error, list) => (list === undefined ? reject(error) : resolve(list)),
      );
    },
  );
  expect(Object.keys(statuses)).toEqual(["", EchoService.typeName]);
  const call = watch(client, "unknown.Service").on("error", () => undefined);
  const [health] = (await once(call, "data")) as [MessageShape<typeof HealthCheckResponseSchema>];
  expect(health.status).toBe(serviceUnknown);
  call.cancel();
});

test("health and /readyz follow the readiness checks, and /readyz names those that fail", async () => {
  const readiness = {
    works: async () => undefined,
    database: async () => await Promise.reject(new Error("password refused")),
  };
  const { client, server } = await start({ readiness });
  expect(await check(client, "")).toBe(notServing);
  const response = await fetch(`${server.baseUrl}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ ready: false, failing: ["database"] });
  expect((await fetch(`${server.baseUrl}/livez`)).status).toBe(200);
});

test("a check that fails at startup is logged as information, one that fails later as a warning", async () => {
  const database = { works: false };
  const { server } = await start({
    readiness: {
      database: async () => {
        if (!database.works) throw new Error("no connection");
      },
    },
  });
  const readyStatus = async () => (await fetch(`${server.baseUrl}/readyz`)).status;
  expect(await readyStatus()).toBe(503);
  database.works = true;
  expect(await readyStatus()).toBe(200);
  database.works = false;
  expect(await readyStatus()).toBe(503);
  const logged = server.logLines.filter((line) => line["check"] === "database");
  expect(logged.map(({ level }) => level)).toEqual(["info", "info", "warn"]);
});

test("a health watcher is notified that the server drains, and does not block its close", async () => {
  const { client, server } = await start();
  const call = watch(client);
  const seen: number[] = [];
  call.on("data", (health: MessageShape<typeof HealthCheckResponseSchema>) =>
    seen.push(health.status),
  );
  call.on("error", () => undefined);
  await once(call, "data");
  await server.close();
  expect(seen).toEqual([serving, notServing]);
});

describe.each(["v1", "v1alpha"])("reflection %s", (version) => {
  const reflectionNames = ["v1", "v1alpha"].map((v) => `grpc.reflection.${v}.ServerReflection`);

  test("lists the services, those of gRPC itself included", async () => {
    const { client } = await start();
    const { value } = await reflect(client, version, { case: "listServices", value: "*" });
    expect(value).toMatchObject({
      service: [EchoService.typeName, "grpc.health.v1.Health", ...reflectionNames].map((name) => ({
        name,
      })),
    });
  });

  test.each([
    [EchoService.typeName, EchoService.file.proto.name],
    [`${EchoService.typeName}.Echo`, EchoService.file.proto.name],
    ["rpctest.v1.EchoRequest.text", EchoService.file.proto.name],
    ["grpc.health.v1.Health", "grpc/health/v1/health.proto"],
    ["grpc.health.v1.HealthCheckResponse.SERVING", "grpc/health/v1/health.proto"],
    ["grpc.reflection.v1.ServerReflection", "grpc/reflection/v1/reflection.proto"],
    ["grpc.reflection.v1alpha.ServerReflection", "grpc/reflection/v1alpha/reflection.proto"],
    ["google.rpc.ErrorInfo", "google/rpc/error_details.proto"],
    ["google.rpc.BadRequest.FieldViolation", "google/rpc/error_details.proto"],
  ])("returns the file of %s, then its imports", async (symbol, name) => {
    const { client } = await start();
    for (const request of [
      { case: "fileContainingSymbol", value: symbol },
      { case: "fileByFilename", value: name },
    ] as const) {
      const response = await reflect(client, version, request);
      if (response.case !== "fileDescriptorResponse") throw new Error(`got ${response.case}`);
      const files = response.value.fileDescriptorProto.map((bytes) =>
        fromBinary(FileDescriptorProtoSchema, bytes),
      );
      const names = files.map((file) => file.name);
      expect(names[0]).toBe(name);
      expect(names).toEqual(expect.arrayContaining(files.flatMap((file) => file.dependency)));
    }
  });

  test.each([
    { case: "fileContainingSymbol", value: "unknown.Service" },
    { case: "fileByFilename", value: "unknown.proto" },
    { case: "allExtensionNumbersOfType", value: "unknown.Message" },
    {
      case: "fileContainingExtension",
      value: create(ExtensionRequestSchema, {
        containingType: "rpctest.v1.EchoRequest",
        extensionNumber: 100,
      }),
    },
  ] as const)("returns NOT_FOUND for $case of an unknown name", async (request) => {
    const { client } = await start();
    expect(await reflect(client, version, request)).toMatchObject({
      case: "errorResponse",
      value: { errorCode: status.NOT_FOUND },
    });
  });
});

import { create, fromBinary } from "@bufbuild/protobuf";
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Client, credentials, status } from "@grpc/grpc-js";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { deserializerOf, isGrpcStatus, serializerOf } from "../src/client/grpc-wire.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import {
  HealthCheckSchema,
  HealthSchema,
  ReflectionRequestSchema,
  ReflectionResponseSchema,
} from "./gen/rpctest/v1/wire_subsets_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";

const serving = 1;
const notServing = 2;

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
      serializerOf(HealthCheckSchema),
      deserializerOf(HealthSchema),
      create(HealthCheckSchema, { service }),
      (error, health) => (error === null ? resolve(health?.status ?? 0) : reject(error)),
    );
  });
}

function watch(client: Client) {
  return client.makeServerStreamRequest(
    "/grpc.health.v1.Health/Watch",
    serializerOf(HealthCheckSchema),
    deserializerOf(HealthSchema),
    create(HealthCheckSchema),
  );
}

async function reflect(
  client: Client,
  version: string,
  request: MessageInitShape<typeof ReflectionRequestSchema>,
): Promise<MessageShape<typeof ReflectionResponseSchema>> {
  const call = client.makeBidiStreamRequest(
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    serializerOf(ReflectionRequestSchema),
    deserializerOf(ReflectionResponseSchema),
  );
  call.end(create(ReflectionRequestSchema, request));
  const [response] = (await once(call, "data")) as [MessageShape<typeof ReflectionResponseSchema>];
  call.resume();
  return response;
}

test("grpc.health.v1 knows the server and each of its services", async () => {
  const { client } = await start();
  expect(await check(client, "")).toBe(serving);
  expect(await check(client, EchoService.typeName)).toBe(serving);
  const error: unknown = await check(client, "unknown.Service").catch((e: unknown) => e);
  expect(isGrpcStatus(error) && error.code).toBe(status.NOT_FOUND);
});

test("health and /readyz follow the readiness checks, and name those that fail", async () => {
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

test("what a server waits for at its start is information, what it loses later a warning", async () => {
  const database = { works: false };
  const { server } = await start({
    readiness: {
      database: async () => {
        if (!database.works) throw new Error("no connection");
      },
    },
  });
  const ask = async () => (await fetch(`${server.baseUrl}/readyz`)).status;
  expect(await ask()).toBe(503);
  database.works = true;
  expect(await ask()).toBe(200);
  database.works = false;
  expect(await ask()).toBe(503);
  const told = server.logLines.filter((line) => line["check"] === "database");
  expect(told.map(({ level }) => level)).toEqual(["info", "info", "warn"]);
});

test("a health watcher learns that the server drains, and does not keep it from closing", async () => {
  const { client, server } = await start();
  const call = watch(client);
  const seen: number[] = [];
  call.on("data", (health: MessageShape<typeof HealthSchema>) => seen.push(health.status));
  call.on("error", () => undefined);
  await once(call, "data");
  await server.close();
  expect(seen).toEqual([serving, notServing]);
});

test.each(["v1", "v1alpha"])(
  "reflection %s lists the services and gives their files",
  async (version) => {
    const { client } = await start();
    const { listServicesResponse } = await reflect(client, version, { listServices: "*" });
    expect(listServicesResponse?.service.map(({ name }) => name)).toEqual([EchoService.typeName]);

    const { fileDescriptorResponse } = await reflect(client, version, {
      fileContainingSymbol: EchoService.typeName,
    });
    const files = fileDescriptorResponse?.fileDescriptorProto.map((bytes) =>
      fromBinary(FileDescriptorProtoSchema, bytes),
    );
    expect(files?.[0]?.name).toBe(EchoService.file.proto.name);
    expect(files?.[0]?.service[0]?.method).toHaveLength(EchoService.methods.length);
  },
);

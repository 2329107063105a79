import { create } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { describeUnlessMissing, findProgram } from "@storefront/testkit";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ListenError } from "../src/index.ts";
import type { GrpcTls } from "../src/index.ts";
import { deserializerOf, isGrpcStatus, serializerOf } from "../src/client/grpc-wire.ts";
import { EchoRequestSchema, EchoResponseSchema } from "./gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";

const openssl = findProgram("openssl");

/** A certificate for `localhost`, signed by its own key. */
async function makeCertificate(directory: string): Promise<GrpcTls> {
  const paths = { certificate: join(directory, "cert.pem"), key: join(directory, "key.pem") };
  const request = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost";
  const names = "-addext subjectAltName=DNS:localhost";
  await promisify(execFile)(openssl ?? "openssl", [
    ...`${request} ${names}`.split(" "),
    "-out",
    paths.certificate,
    "-keyout",
    paths.key,
  ]);
  return {
    certificateChain: await readFile(paths.certificate),
    privateKey: await readFile(paths.key),
  };
}

async function echo(client: Client, text: string): Promise<string | undefined> {
  return await new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      "/rpctest.v1.EchoService/Echo",
      serializerOf(EchoRequestSchema),
      deserializerOf(EchoResponseSchema),
      create(EchoRequestSchema, { text }),
      (error, answer) => (error === null ? resolve(answer?.text) : reject(error)),
    );
  });
}

const missing = openssl === undefined ? "no openssl: install it" : undefined;
describeUnlessMissing("a gRPC port with TLS", missing, () => {
  let directory: string;
  let tls: GrpcTls;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "storefront-tls-"));
    tls = await makeCertificate(directory);
  });
  afterAll(async () => await rm(directory, { recursive: true, force: true }));

  it("answers those who trust its certificate, and nobody without TLS", async () => {
    const server = await startEchoServer({ grpcTls: tls });
    const trusting = new Client(server.address, credentials.createSsl(tls.certificateChain), {
      "grpc.ssl_target_name_override": "localhost",
    });
    const plain = new Client(server.address, credentials.createInsecure());
    try {
      expect(await echo(trusting, "private")).toBe("private");
      const error: unknown = await echo(plain, "open").catch((reason: unknown) => reason);
      expect(isGrpcStatus(error)).toBe(true);
    } finally {
      trusting.close();
      plain.close();
      await server.close();
    }
  });

  it("does not start with a certificate and key that are none", async () => {
    const grpcTls = { certificateChain: tls.privateKey, privateKey: tls.certificateChain };
    const error: unknown = await startEchoServer({ grpcTls }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ListenError);
  });
});

import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { describeUnlessMissing, missingOpenssl } from "@storefront/testkit";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { handshakeFailure, TlsError } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";
import { codeOf, intervalMs, useTls } from "./support/use-tls.ts";

describeUnlessMissing("TLS", missingOpenssl, () => {
  const { fixture, logLines, opened, open, start } = useTls();

  describe("the reason that no call reaches a gRPC port", () => {
    it("is reported when it is permanent: a certificate is not accepted, or only one side uses TLS", async () => {
      const server = await start("require");
      const { caFile } = fixture().authority;
      const plain = await startEchoServer();
      opened.push(() => plain.close());
      const known = await open({ ...fixture().clientFiles, caFile });
      const { address } = server;
      for (const options of [
        { address, tls: await open({ caFile }) },
        {
          address,
          tls: await open({ ...(await fixture().otherAuthority.issue("client")), caFile }),
        },
        {
          address,
          tls: await open({ ...fixture().clientFiles, caFile: fixture().otherAuthority.caFile }),
        },
        { address },
        { address: address.replace("https://", "") },
        { address: `https://${plain.address}`, tls: known },
      ]) {
        expect(await handshakeFailure(options)).toBeInstanceOf(TlsError);
      }
    });

    it("is not reported when it may be temporary: the server is down, silent, or accepts the caller", async () => {
      const server = await start("require");
      const plain = await startEchoServer();
      opened.push(() => plain.close());
      const closing = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
      await once(closing, "listening");
      opened.push(() => closing.close());
      const { port } = closing.address() as AddressInfo;
      const tls = await open({ ...fixture().clientFiles, caFile: fixture().authority.caFile });
      for (const options of [
        { address: server.address, tls },
        { address: plain.address },
        { address: `https://127.0.0.1:${port}`, tls },
        { address: `127.0.0.1:${port}` },
        { address: "https://localhost:1", tls },
        { address: "no.such.host.invalid:1" },
      ]) {
        expect(await handshakeFailure(options)).toBeUndefined();
      }
    });
  });

  describe("a Connect port that requires client certificates", () => {
    it("serves probes and scrapers without one", async () => {
      const server = await start("require");
      const { ca } = (await open({ caFile: fixture().authority.caFile })).current;
      for (const path of ["/livez", "/readyz", "/metrics"]) {
        const request = httpsRequest(`${server.baseUrl}${path}`, {
          agent: false,
          ca,
        }).end();
        const [response] = (await once(request, "response")) as [{ statusCode: number }];
        expect([path, response.statusCode]).toEqual([path, 200]);
        request.destroy();
      }
    });

    it("rejects calls of every protocol as unauthenticated", async () => {
      const server = await start("require");
      const transport = createConnectTransport({
        baseUrl: server.baseUrl,
        httpVersion: "1.1",
        useBinaryFormat: false,
        nodeOptions: { ca: (await open({ caFile: fixture().authority.caFile })).current.ca },
      });
      const client = createClient(EchoService, transport);
      expect(await codeOf(client.echo({}))).toBe(Code.Unauthenticated);
      const stream = (async () => {
        for await (const _ of client.repeat({ count: 1 }));
      })();
      expect(await codeOf(stream)).toBe(Code.Unauthenticated);
    });

    it("does not accept a resumed session as a certificate", async () => {
      const server = await start("require");
      const { secureContext } = (await open({ caFile: fixture().authority.caFile })).current;
      const requestWith = async (session?: Buffer) => {
        const socket: TLSSocket = connectTls({
          host: "localhost",
          port: server.port,
          secureContext,
          ...(session === undefined ? {} : { session }),
        });
        const tickets: Buffer[] = [];
        socket.on("session", (ticket: Buffer) => tickets.push(ticket));
        socket.write(
          "POST /rpctest.v1.EchoService/Echo HTTP/1.1\r\nhost: localhost\r\n" +
            "content-type: application/proto\r\ncontent-length: 0\r\n\r\n",
        );
        const [response] = (await once(socket, "data")) as [Buffer];
        const wasResumed = socket.isSessionReused();
        socket.destroy();
        return { status: response.toString().slice(9, 12), wasResumed, ticket: tickets[0] };
      };
      const first = await requestWith();
      const second = await requestWith(first.ticket);
      expect(second.wasResumed).toBe(true);
      expect([first.status, second.status]).toEqual(["401", "401"]);
    });
  });

  describe("files", () => {
    it("that cannot be used are rejected, with the file's name", async () => {
      const { caFile } = fixture().authority;
      const other = await fixture().authority.issue("other");
      const missing = `${caFile}.missing`;
      await writeFile(`${caFile}.empty`, "no certificate");
      for (const [files, named] of [
        [{ ...fixture().serverFiles, keyFile: other.keyFile }, other.keyFile],
        [
          { certFile: fixture().serverFiles.keyFile, keyFile: fixture().serverFiles.keyFile },
          fixture().serverFiles.keyFile,
        ],
        [{ ...fixture().serverFiles, keyFile: missing }, missing],
        [{ caFile: `${caFile}.empty` }, `${caFile}.empty`],
      ] as const) {
        const error: unknown = await open(files).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(TlsError);
        expect((error as TlsError).message).toContain(named);
      }
    });

    it("that become invalid later are logged once, and the old ones stay in use", async () => {
      const files = await fixture().authority.issue("broken-later");
      const credentials = await open(files);
      const before = credentials.current;
      logLines.length = 0;
      await writeFile(files.keyFile, "no key");
      const errors = () => logLines.filter(({ level }) => level === "error");
      while (errors().length === 0) await setTimeout(intervalMs);
      expect(credentials.current).toBe(before);
      const changed = Promise.withResolvers<void>();
      opened.push(credentials.onChange(() => changed.resolve()));
      await fixture().authority.issue("broken-later");
      await changed.promise;
      expect(credentials.current.cert).not.toEqual(before.cert);
      expect(errors()).toHaveLength(1);
    });

    it("without a certificate cannot serve a port, and without authorities cannot request one from clients", async () => {
      const clientOnly = await open({ caFile: fixture().authority.caFile });
      const without = startEchoServer({ tls: { credentials: clientOnly } });
      await expect(without).rejects.toBeInstanceOf(TlsError);
      const credentials = await open(fixture().serverFiles);
      const requesting = startEchoServer({ tls: { credentials, clientAuth: "require" } });
      await expect(requesting).rejects.toBeInstanceOf(TlsError);
    });
  });
});

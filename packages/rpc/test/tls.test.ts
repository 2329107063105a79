import { Code, createClient } from "@connectrpc/connect";
import { describeUnlessMissing, missingOpenssl } from "@storefront/testkit";
import type { CertificateFiles } from "@storefront/testkit";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { setTimeout } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { describe, expect, it } from "vitest";
import { createGrpcTransport, createTransport, TlsError } from "../src/index.ts";
import type { TlsCredentials } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import type { EchoServer } from "./support/start-echo-server.ts";
import { intervalMs, useTls } from "./support/use-tls.ts";

describeUnlessMissing("TLS", missingOpenssl, () => {
  const { fixture, open, start, codeOfCall } = useTls();

  const ways = {
    "Connect port": ({ baseUrl }: EchoServer, tls?: TlsCredentials) =>
      createTransport({ baseUrl, tls }),
    "gRPC port": ({ address }: EchoServer, tls?: TlsCredentials) =>
      createGrpcTransport({ address, tls }),
  };
  describe.each(Object.entries(ways))("on the %s", (_name, openTransport) => {
    it("serves callers that trust its authority", async () => {
      const server = await start("none");
      const transport = openTransport(server, await open({ caFile: fixture().authority.caFile }));
      expect(await codeOfCall(transport)).toBeUndefined();
      const texts: string[] = [];
      for await (const { text } of createClient(EchoService, transport).repeat({
        text: "piece",
        count: 2,
      })) {
        texts.push(text);
      }
      expect(texts).toEqual(["piece", "piece"]);
    });

    it("is rejected by callers that trust another authority, or none", async () => {
      const server = await start("none");
      const other = await open({ caFile: fixture().otherAuthority.caFile });
      expect(await codeOfCall(openTransport(server, other))).toBe(Code.Unavailable);
      expect(await codeOfCall(openTransport(server))).toBe(Code.Unavailable);
    });

    it("rejects plain text", async () => {
      const server = await start("none");
      const plain = {
        ...server,
        baseUrl: server.baseUrl.replace("https:", "http:"),
        address: server.address.replace("https://", ""),
      };
      expect(await codeOfCall(openTransport(plain))).toBe(Code.Unavailable);
    });

    it("requires a certificate of its authority if configured", async () => {
      const server = await start("require");
      const { caFile } = fixture().authority;
      const known = await open({ ...fixture().clientFiles, caFile });
      expect(await codeOfCall(openTransport(server, known))).toBeUndefined();

      const refusals = [Code.Unauthenticated, Code.Unavailable];
      const nameless = await open({ caFile });
      expect(refusals).toContain(await codeOfCall(openTransport(server, nameless)));
      const foreign = await open({ ...(await fixture().otherAuthority.issue("client")), caFile });
      expect(refusals).toContain(await codeOfCall(openTransport(server, foreign)));
    });

    it("accepts callers with a certificate and without if it only requests one", async () => {
      const server = await start("request");
      const { caFile } = fixture().authority;
      for (const files of [{ ...fixture().clientFiles, caFile }, { caFile }]) {
        expect(await codeOfCall(openTransport(server, await open(files)))).toBeUndefined();
      }
    });

    it("loses no call while certificates are replaced on both sides", async () => {
      const [server, client] = await Promise.all([
        fixture().authority.issue("rotated-server"),
        fixture().authority.issue("rotated-client"),
      ]);
      const { caFile } = fixture().authority;
      const running = await start("require", server);
      const tls = await open({ ...client, caFile });
      const serialOf = async () => (await peerOf(running, client)).serialNumber;
      const before = await serialOf();
      const over = new AbortController();
      const calling = (async () => {
        let count = 0;
        while (!over.signal.aborted) {
          // A new transport, and so a new connection.
          const transport = openTransport(running, tls);
          await createClient(EchoService, transport).echo({ text: "private" });
          await transport.close();
          count += 1;
        }
        return count;
      })();
      await Promise.all([
        fixture().authority.issue("rotated-server"),
        fixture().authority.issue("rotated-client"),
      ]);
      while ((await serialOf()) === before) await setTimeout(intervalMs);
      over.abort();
      expect(await calling).toBeGreaterThan(0);
    });

    it("closes during a caller's handshake", async () => {
      const server = await start("none");
      const port = openTransport === ways["gRPC port"] ? server.grpcPort : server.port;
      const socket = connectTcp(port, "127.0.0.1").on("error", () => undefined);
      await once(socket, "connect");
      const closed = once(socket, "close");
      await server.close();
      expect(await closed).toBeDefined();
    });

    it("sends no token in clear where TLS is used", async () => {
      const tls = await open({ caFile: fixture().authority.caFile });
      expect(() =>
        openTransport === ways["gRPC port"]
          ? createGrpcTransport({ address: "localhost:1", token: "a secret", tls })
          : createTransport({ baseUrl: "http://localhost:1", token: "a secret", tls }),
      ).toThrow(TlsError);
    });
  });

  /** Certificate that a server's Connect port shows to a caller. */
  async function peerOf(server: EchoServer, { certFile, keyFile }: CertificateFiles) {
    const { secureContext } = (
      await open({ certFile, keyFile, caFile: fixture().authority.caFile })
    ).current;
    const socket = connectTls({ host: "localhost", port: server.port, secureContext });
    await once(socket, "secureConnect");
    const certificate = socket.getPeerCertificate();
    socket.destroy();
    return certificate;
  }
});

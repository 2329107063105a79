import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import {
  createCertificateAuthority,
  describeUnlessMissing,
  missingOpenssl,
} from "@storefront/testkit";
import type { CertificateAuthority, CertificateFiles } from "@storefront/testkit";
import { createLogger } from "@storefront/telemetry";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { connect as connectTcp, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createGrpcTransport,
  createTransport,
  handshakeFailure,
  openTlsCredentials,
  TlsError,
} from "../src/index.ts";
import type { ClientAuth, ClosableTransport, TlsCredentials, TlsFiles } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./support/start-echo-server.ts";
import type { EchoServer } from "./support/start-echo-server.ts";

/** How often files are looked at here, in milliseconds. */
const intervalMs = 10;

describeUnlessMissing("TLS", missingOpenssl, () => {
  let authority: CertificateAuthority;
  let stranger: CertificateAuthority;
  let serverFiles: CertificateFiles;
  let clientFiles: CertificateFiles;
  beforeAll(async () => {
    [authority, stranger] = await Promise.all([
      createCertificateAuthority(),
      createCertificateAuthority(),
    ]);
    [serverFiles, clientFiles] = await Promise.all([
      authority.issue("server"),
      authority.issue("client"),
    ]);
  });
  afterAll(async () => await Promise.all([authority.remove(), stranger.remove()]));

  const opened: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  const logLines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string): void => {
      logLines.push(JSON.parse(line) as Record<string, unknown>);
    },
  };
  async function open(files: TlsFiles): Promise<TlsCredentials> {
    const logger = createLogger({ service: "tls", destination });
    const credentials = await openTlsCredentials({ ...files, logger, intervalMs });
    opened.push(() => credentials.close());
    return credentials;
  }
  async function start(
    clientAuth: ClientAuth,
    files: CertificateFiles = serverFiles,
  ): Promise<EchoServer> {
    const credentials = await open({ ...files, caFile: authority.caFile });
    const server = await startEchoServer({ tls: { credentials, clientAuth } });
    opened.push(() => server.close());
    return server;
  }

  const ways = {
    "Connect port": ({ baseUrl }: EchoServer, tls?: TlsCredentials) =>
      createTransport({ baseUrl, tls }),
    "gRPC port": ({ address }: EchoServer, tls?: TlsCredentials) =>
      createGrpcTransport({ address, tls }),
  };
  function call(transport: ClosableTransport, text = "private"): Promise<string> {
    opened.push(() => transport.close());
    return createClient(EchoService, transport)
      .echo({ text })
      .then((answer) => answer.text);
  }
  async function codeOf(answer: Promise<unknown>): Promise<Code | undefined> {
    const error: unknown = await answer.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error === undefined ? undefined : ConnectError.from(error).code;
  }

  describe.each(Object.entries(ways))("on the %s", (_name, openTransport) => {
    it("answers those who trust its authority", async () => {
      const server = await start("none");
      const transport = openTransport(server, await open({ caFile: authority.caFile }));
      expect(await call(transport)).toBe("private");
      const texts: string[] = [];
      for await (const { text } of createClient(EchoService, transport).repeat({
        text: "piece",
        count: 2,
      })) {
        texts.push(text);
      }
      expect(texts).toEqual(["piece", "piece"]);
    });

    it("is not believed by those who trust another authority, nor by those who know none", async () => {
      const server = await start("none");
      const other = await open({ caFile: stranger.caFile });
      expect(await codeOf(call(openTransport(server, other)))).toBe(Code.Unavailable);
      expect(await codeOf(call(openTransport(server)))).toBe(Code.Unavailable);
    });

    it("does not answer plain text", async () => {
      const server = await start("none");
      const plain = {
        ...server,
        baseUrl: server.baseUrl.replace("https:", "http:"),
        address: server.address.replace("https://", ""),
      };
      expect(await codeOf(call(openTransport(plain)))).toBe(Code.Unavailable);
    });

    it("requires a certificate of its authority where it is told to", async () => {
      const server = await start("require");
      const { caFile } = authority;
      const known = await open({ ...clientFiles, caFile });
      expect(await call(openTransport(server, known))).toBe("private");

      const refusals = [Code.Unauthenticated, Code.Unavailable];
      const nameless = await open({ caFile });
      expect(refusals).toContain(await codeOf(call(openTransport(server, nameless))));
      const foreign = await open({ ...(await stranger.issue("client")), caFile });
      expect(refusals).toContain(await codeOf(call(openTransport(server, foreign))));
    });

    it("takes callers with a certificate and without where it only requests one", async () => {
      const server = await start("request");
      const { caFile } = authority;
      for (const files of [{ ...clientFiles, caFile }, { caFile }]) {
        expect(await call(openTransport(server, await open(files)))).toBe("private");
      }
    });

    it("loses no call while certificates are replaced on both sides", async () => {
      const [server, client] = await Promise.all([
        authority.issue("rotated-server"),
        authority.issue("rotated-client"),
      ]);
      const { caFile } = authority;
      const running = await start("require", server);
      const tls = await open({ ...client, caFile });
      const serialOf = async () => (await peerOf(running, client)).serialNumber;
      const before = await serialOf();
      const over = new AbortController();
      const calling = (async () => {
        let count = 0;
        while (!over.signal.aborted) {
          // A transport of its own, and so a connection.
          const transport = openTransport(running, tls);
          await createClient(EchoService, transport).echo({ text: "private" });
          await transport.close();
          count += 1;
        }
        return count;
      })();
      await Promise.all([authority.issue("rotated-server"), authority.issue("rotated-client")]);
      while ((await serialOf()) === before) await setTimeout(intervalMs);
      over.abort();
      expect(await calling).toBeGreaterThan(0);
    });

    it("closes although a caller is still shaking hands", async () => {
      const server = await start("none");
      const port = openTransport === ways["gRPC port"] ? server.grpcPort : server.port;
      const socket = connectTcp(port, "127.0.0.1").on("error", () => undefined);
      await once(socket, "connect");
      const closed = once(socket, "close");
      await server.close();
      expect(await closed).toBeDefined();
    });

    it("sends no token in clear where TLS is used", async () => {
      const tls = await open({ caFile: authority.caFile });
      expect(() =>
        openTransport === ways["gRPC port"]
          ? createGrpcTransport({ address: "localhost:1", token: "a secret", tls })
          : createTransport({ baseUrl: "http://localhost:1", token: "a secret", tls }),
      ).toThrow(TlsError);
    });
  });

  /** Certificate that a server's Connect port shows to a caller. */
  async function peerOf(server: EchoServer, { certFile, keyFile }: CertificateFiles) {
    const { secureContext } = (await open({ certFile, keyFile, caFile: authority.caFile })).current;
    const socket = connectTls({ host: "localhost", port: server.port, secureContext });
    await once(socket, "secureConnect");
    const certificate = socket.getPeerCertificate();
    socket.destroy();
    return certificate;
  }

  describe("why no call reaches a gRPC port", () => {
    it("is told where it will not pass: a certificate is not accepted, or TLS is spoken by one side", async () => {
      const server = await start("require");
      const { caFile } = authority;
      const plain = await startEchoServer();
      opened.push(() => plain.close());
      const known = await open({ ...clientFiles, caFile });
      const { address } = server;
      for (const options of [
        { address, tls: await open({ caFile }) },
        { address, tls: await open({ ...(await stranger.issue("client")), caFile }) },
        { address, tls: await open({ ...clientFiles, caFile: stranger.caFile }) },
        { address },
        { address: address.replace("https://", "") },
        { address: `https://${plain.address}`, tls: known },
      ]) {
        expect(await handshakeFailure(options)).toBeInstanceOf(TlsError);
      }
    });

    it("is not told where it may: the server is away, says nothing, or takes the caller", async () => {
      const server = await start("require");
      const plain = await startEchoServer();
      opened.push(() => plain.close());
      const closing = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
      await once(closing, "listening");
      opened.push(() => closing.close());
      const { port } = closing.address() as AddressInfo;
      const tls = await open({ ...clientFiles, caFile: authority.caFile });
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
    it("answers probes and scrapers without one", async () => {
      const server = await start("require");
      const { ca } = (await open({ caFile: authority.caFile })).current;
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

    it("refuses every protocol alike, as unauthenticated", async () => {
      const server = await start("require");
      const transport = createConnectTransport({
        baseUrl: server.baseUrl,
        httpVersion: "1.1",
        useBinaryFormat: false,
        nodeOptions: { ca: (await open({ caFile: authority.caFile })).current.ca },
      });
      const client = createClient(EchoService, transport);
      expect(await codeOf(client.echo({}))).toBe(Code.Unauthenticated);
      const stream = (async () => {
        for await (const _ of client.repeat({ count: 1 }));
      })();
      expect(await codeOf(stream)).toBe(Code.Unauthenticated);
    });

    it("does not take a resumed session for a certificate", async () => {
      const server = await start("require");
      const { secureContext } = (await open({ caFile: authority.caFile })).current;
      const askWith = async (session?: Buffer) => {
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
        const [answer] = (await once(socket, "data")) as [Buffer];
        const wasResumed = socket.isSessionReused();
        socket.destroy();
        return { status: answer.toString().slice(9, 12), wasResumed, ticket: tickets[0] };
      };
      const first = await askWith();
      const second = await askWith(first.ticket);
      expect(second.wasResumed).toBe(true);
      expect([first.status, second.status]).toEqual(["401", "401"]);
    });
  });

  describe("files", () => {
    it("that cannot be used are refused, with the file's name", async () => {
      const { caFile } = authority;
      const other = await authority.issue("other");
      const missing = `${caFile}.missing`;
      await writeFile(`${caFile}.empty`, "no certificate");
      for (const [files, named] of [
        [{ ...serverFiles, keyFile: other.keyFile }, other.keyFile],
        [{ certFile: serverFiles.keyFile, keyFile: serverFiles.keyFile }, serverFiles.keyFile],
        [{ ...serverFiles, keyFile: missing }, missing],
        [{ caFile: `${caFile}.empty` }, `${caFile}.empty`],
      ] as const) {
        const error: unknown = await open(files).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(TlsError);
        expect((error as TlsError).message).toContain(named);
      }
    });

    it("that are broken later are logged once, and the old ones stay", async () => {
      const files = await authority.issue("broken-later");
      const credentials = await open(files);
      const before = credentials.current;
      logLines.length = 0;
      await writeFile(files.keyFile, "no key");
      const errors = () => logLines.filter(({ level }) => level === "error");
      while (errors().length === 0) await setTimeout(intervalMs);
      expect(credentials.current).toBe(before);
      const changed = Promise.withResolvers<void>();
      opened.push(credentials.onChange(() => changed.resolve()));
      await authority.issue("broken-later");
      await changed.promise;
      expect(credentials.current.cert).not.toEqual(before.cert);
      expect(errors()).toHaveLength(1);
    });

    it("serve no port without a certificate, nor ask for one without authorities", async () => {
      const clientOnly = await open({ caFile: authority.caFile });
      const without = startEchoServer({ tls: { credentials: clientOnly } });
      await expect(without).rejects.toBeInstanceOf(TlsError);
      const credentials = await open(serverFiles);
      const asking = startEchoServer({ tls: { credentials, clientAuth: "require" } });
      await expect(asking).rejects.toBeInstanceOf(TlsError);
    });
  });
});

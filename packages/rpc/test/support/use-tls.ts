import { ConnectError, createClient } from "@connectrpc/connect";
import type { Code } from "@connectrpc/connect";
import { createCertificateAuthority } from "@storefront/testkit";
import type { CertificateAuthority, CertificateFiles } from "@storefront/testkit";
import { createLogger } from "@storefront/process";
import type { ServerTlsOptions, TlsFiles } from "@storefront/process";
import { afterAll, afterEach, beforeAll } from "vitest";
import { openTlsCredentials } from "../../src/index.ts";
import type { ClosableTransport, TlsCredentials } from "../../src/index.ts";
import { EchoService } from "../gen/rpctest/v1/echo_service_pb.ts";
import { startEchoServer } from "./start-echo-server.ts";
import type { EchoServer } from "./start-echo-server.ts";

/** Interval of checks of files, in milliseconds. */
export const intervalMs = 10;

/** Certificates for the tests of a suite. */
export interface TlsFixture {
  authority: CertificateAuthority;
  /** One that no test trusts. */
  otherAuthority: CertificateAuthority;
  serverFiles: CertificateFiles;
  clientFiles: CertificateFiles;
}

/** Makes certificates before a suite; closes after each test what it opened. */
export function useTls() {
  let made: TlsFixture | undefined;
  const fixture = (): TlsFixture => {
    if (made === undefined) throw new Error("there are no certificates yet");
    return made;
  };
  const logLines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string): void => {
      logLines.push(JSON.parse(line) as Record<string, unknown>);
    },
  };
  /** Functions to call after the test. */
  const opened: (() => unknown)[] = [];

  beforeAll(async () => {
    const [authority, otherAuthority] = await Promise.all([
      createCertificateAuthority(),
      createCertificateAuthority(),
    ]);
    const [serverFiles, clientFiles] = await Promise.all([
      authority.issue("server"),
      authority.issue("client"),
    ]);
    made = { authority, otherAuthority, serverFiles, clientFiles };
  });
  afterAll(
    async () => await Promise.all([made?.authority.remove(), made?.otherAuthority.remove()]),
  );
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  async function open(files: TlsFiles): Promise<TlsCredentials> {
    const logger = createLogger({ service: "tls", destination });
    const credentials = await openTlsCredentials({ ...files, logger, intervalMs });
    opened.push(() => credentials.close());
    return credentials;
  }
  async function start(
    clientAuth: ServerTlsOptions["clientAuth"],
    files: CertificateFiles = fixture().serverFiles,
  ): Promise<EchoServer> {
    const credentials = await open({ ...files, caFile: fixture().authority.caFile });
    const server = await startEchoServer({ tls: { credentials, clientAuth } });
    opened.push(() => server.close());
    return server;
  }
  /** The code that a call fails with; undefined when it succeeds. */
  async function codeOfCall(transport: ClosableTransport): Promise<Code | undefined> {
    opened.push(() => transport.close());
    return await codeOf(createClient(EchoService, transport).echo({ text: "private" }));
  }
  return { fixture, logLines, opened, open, start, codeOfCall };
}

/** The code that a call fails with; undefined when it succeeds. */
export async function codeOf(call: Promise<unknown>): Promise<Code | undefined> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error === undefined ? undefined : ConnectError.from(error).code;
}

import { Code, ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import type { UniversalClientFn } from "@connectrpc/connect/protocol";
import { createTransport } from "@connectrpc/connect/protocol-connect";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

/** A transport that runs curl for each call, and sends JSON. */
export function createCurlTransport(program: string, baseUrl: string): Transport {
  return createTransport({
    baseUrl,
    httpClient: createCurlHttpClient(program),
    useBinaryFormat: false,
    interceptors: [],
    readMaxBytes: 0xffff_ffff,
    writeMaxBytes: 0xffff_ffff,
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: 0,
  });
}

// `expect:` keeps curl from asking whether it may send a large body.
const fixedParameters = "--silent --show-error --no-buffer --include --http1.1 --header expect:";

function createCurlHttpClient(program: string): UniversalClientFn {
  return async ({ url, method, header, body, signal }) => {
    signal?.throwIfAborted();
    const parameters = [
      ...fixedParameters.split(" "),
      "--request",
      method,
      ...Array.from(header, ([name, value]) => ["--header", `${name}: ${value}`]).flat(),
      ...(body === undefined ? [] : ["--upload-file", "-"]),
      url,
    ];
    const child = spawn(program, parameters, { stdio: "pipe" });
    const ended = once(child, "close") as Promise<[code: number | null]>;
    // Reported as output that ends too early.
    ended.catch(() => undefined);
    signal?.addEventListener("abort", () => child.kill());
    const errorOutput = text(child.stderr);
    // A server that rejects a call early does not read the rest of the body.
    void pipeline(Readable.from(body ?? [], { objectMode: false }), child.stdin).catch(
      () => undefined,
    );

    const output: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
    let received = Buffer.alloc(0);
    while (!received.includes("\r\n\r\n")) {
      const { done, value } = await output.next();
      if (done === true) throw new ConnectError(await errorOutput, Code.Unavailable);
      received = Buffer.concat([received, value]);
    }
    const headSize = received.indexOf("\r\n\r\n");
    const [statusLine = "", ...lines] = received.toString("latin1", 0, headSize).split("\r\n");

    async function* responseBody(): AsyncGenerator<Uint8Array> {
      yield received.subarray(headSize + 4);
      for (let next = await output.next(); next.done !== true; next = await output.next()) {
        yield next.value;
      }
      const [code] = await ended;
      if (code !== 0) throw new ConnectError(await errorOutput, Code.Unavailable);
    }
    return {
      status: Number(statusLine.split(" ")[1]),
      header: new Headers(lines.map((line) => splitHeader(line))),
      body: responseBody(),
      trailer: new Headers(),
    };
  };
}

function splitHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

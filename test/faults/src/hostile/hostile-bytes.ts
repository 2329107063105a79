import * as fc from "fast-check";

const methods = ["GET", "POST", "HEAD", "CONNECT", "BREW", "get", "G\u0000T", "", "PRI"];
const targets = [
  "/regions",
  "/offers/x",
  "*",
  "",
  "regions",
  "http://other.example/regions",
  "http://",
  "//",
  "/\u00fc",
  "/a b",
  "/a\u0000b",
  "/regions#fragment",
  `/${"a".repeat(17_000)}`,
];
const versions = ["HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.9", "HTTP/1,1", "http/1.1", "", "X"];
const ends = ["\r\n", "\n", "\r", "\r\r\n", " \r\n", "\u0000\r\n"];

const headerLines = [
  "Host: x",
  "Host: x",
  "Host: x",
  "Host: ",
  "Host: a\r\nHost: b",
  "Connection: close",
  "Connection: keep-alive, upgrade",
  "Upgrade: websocket\r\nSec-WebSocket-Key: x",
  "Content-Length: 5",
  "Content-Length: -5",
  "Content-Length: 5\r\nContent-Length: 6",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: chunked\r\nContent-Length: 5",
  "Transfer-Encoding : chunked",
  "Content-Type: application/json",
  "Expect: 100-continue",
  "Expect: wonders",
  " folded: line",
  "No colon",
  ": no name",
  "Tab\t: x",
  `Long: ${"y".repeat(17_000)}`,
  "A: b\r\n".repeat(150).trim(),
  "Cookie: CATALOG_COUNTRY=\u00ff\u00fe",
  "X-Request-Id: \u0001",
  "Trailer: X",
];

const bodies = [
  "",
  "{}",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "zz\r\nhello",
  "-1\r\n\r\n",
  "ffffffffffffffff\r\nx",
  "5;ext=1\r\nhello\r\n0\r\nX: y\r\n\r\n",
  "GET /regions HTTP/1.1\r\nHost: x\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000",
];

const usual = <Value>(value: Value, others: readonly Value[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(value) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const requestText = fc
  .record({
    method: usual("GET", methods),
    target: usual("/regions", targets),
    version: usual("HTTP/1.1", versions),
    end: usual("\r\n", ends),
    lines: fc.array(fc.constantFrom(...headerLines), { maxLength: 5 }),
    body: fc.constantFrom(...bodies),
  })
  .map(({ method, target, version, end, lines, body }) => {
    const head = [`${method} ${target} ${version}`, ...lines].join(end);
    return `${head}${end}${end}${body}`;
  });

/** Bytes of a connection: valid and malformed requests, several in a row, truncated ones, or noise. */
export const hostileBytes: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: requestText.map((text) => Buffer.from(text, "latin1")) },
  {
    weight: 2,
    arbitrary: fc
      .array(requestText, { minLength: 2, maxLength: 4 })
      .map((texts) => Buffer.from(texts.join(""), "latin1")),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(requestText, fc.nat(80))
      .map(([text, length]) => Buffer.from(text.slice(0, length), "latin1")),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
);

import { makeTemporaryDirectory } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { downloadSnapshot } from "../../src/mirror/download-snapshot.ts";
import type { SnapshotState } from "../../src/mirror/mirror-state.ts";
import { OriginOutage } from "../../src/mirror/origin.ts";

const bytes = randomBytes(300_000);
const digestOf = (content: Buffer) => createHash("sha256").update(content).digest("base64");
const progress = { update: () => undefined, clear: () => undefined, end: () => undefined };

let files: TemporaryDirectory;
let path: string;
let server: Server;
/** Headers of the requests, in order. */
let requests: IncomingHttpHeaders[];
let respond: RequestListener;
/** Statuses of the responses to requests for changes after a snapshot; then 200. */
let changesStatuses: number[];
beforeEach(async () => {
  files = await makeTemporaryDirectory();
  requests = [];
  path = files.file("snapshot");
  changesStatuses = [];
  server = createServer((request, response) => {
    if (request.url?.startsWith("/snapshot/changes") === true) {
      response.writeHead(changesStatuses.shift() ?? 200).end();
      return;
    }
    requests.push(request.headers);
    respond(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await files.remove();
});

const headers = (content: Buffer) => ({
  etag: `"${digestOf(content)}"`,
  "catalog-cursor": "c",
  "repr-digest": `sha-256=:${digestOf(content)}:`,
});

async function download(begun?: SnapshotState) {
  const { port } = server.address() as AddressInfo;
  const notes: string[] = [];
  const begins: SnapshotState[] = [];
  const snapshot = await downloadSnapshot({
    origin: `http://127.0.0.1:${port}`,
    path,
    begun,
    onBegin: async (each) => void (await Promise.resolve(begins.push(each))),
    outage: new OriginOutage((line) => notes.push(line)),
    progress,
    signal: new AbortController().signal,
  });
  return { snapshot, begins, notes, content: await readFile(path) };
}

it("waits while there is none, and resumes by range where it was cut off", async () => {
  respond = ({ headers: { range } }, response) => {
    if (requests.length === 1) {
      response.writeHead(503, { "content-type": "application/json" });
      response.end('{"message":"It is being made.","error":"UNAVAILABLE"}');
    } else if (requests.length === 2) {
      response.writeHead(200, { ...headers(bytes), "content-length": bytes.length });
      response.write(bytes.subarray(0, 100_000), () => setImmediate(() => response.destroy()));
    } else {
      const start = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1]);
      response.writeHead(206, headers(bytes)).end(bytes.subarray(start));
    }
  };
  const { snapshot, begins, notes, content } = await download();
  expect(content.equals(bytes)).toBe(true);
  const state = { entityTag: headers(bytes).etag, cursor: "c", sha256: digestOf(bytes) };
  expect(snapshot).toEqual({ ...state, isWhole: true });
  expect(begins).toEqual([{ ...state, isWhole: false }]);
  expect(requests.at(-1)).toMatchObject({ "if-range": state.entityTag });
  expect(notes[0]).toContain("It is being made.");
  expect(notes.at(-1)).toBe("The origin is back.");
});

it("downloads another file from its beginning, and a file with a wrong checksum again", async () => {
  const other = randomBytes(1000);
  respond = (_, response) => {
    const isWrong = requests.length === 1;
    response.writeHead(200, headers(other)).end(isWrong ? bytes.subarray(0, 1000) : other);
  };
  const begun = { entityTag: '"old"', cursor: "o", sha256: digestOf(bytes), isWhole: false };
  const { content, notes, begins } = await download(begun);
  expect(content.equals(other)).toBe(true);
  expect(begins).toHaveLength(2);
  expect(notes[0]).toContain("the checksum of its snapshot is wrong");
  expect(requests.map(({ range }) => range)).toEqual(["bytes=0-", undefined]);
});

it("waits for a newer one while the changes after it are pruned or of a lost history", async () => {
  changesStatuses = [410, 404];
  respond = (_, response) => void response.writeHead(200, headers(bytes)).end(bytes);
  const { content, begins, notes } = await download();
  expect(content.equals(bytes)).toBe(true);
  expect([requests.length, begins.length]).toEqual([3, 1]);
  expect(notes[0]).toContain("its snapshot is older than the changes that it keeps");
});

it("fails with the reason when its file cannot be written", async () => {
  respond = (_, response) => void response.writeHead(200, headers(bytes)).end(bytes);
  path = files.file("missing/snapshot");
  await expect(download()).rejects.toThrow(/missing\/snapshot cannot be written: ENOENT/);
});

it("fails when there is no storefront, or one without snapshots", async () => {
  respond = (_, response) => void response.writeHead(404).end('{"message":"Path not found"}');
  await expect(download()).rejects.toThrow(/responded with 404: Path not found$/);
  respond = (_, response) => void response.writeHead(200).end("hello");
  await expect(download()).rejects.toThrow(/is no snapshot of a storefront/);
});

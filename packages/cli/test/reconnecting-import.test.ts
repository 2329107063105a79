import { Code, ConnectError } from "@connectrpc/connect";
import { makeTemporaryDirectory } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { runExport } from "../src/export/run-export.ts";
import { createImporter } from "../src/import/importer.ts";
import type { Importer } from "../src/import/importer.ts";
import { ChannelBrokenError } from "../src/import/ingest-channel.ts";
import { createSummaryRecorder } from "../src/import/summary.ts";
import { writeStackFile } from "../src/stack/data-directory.ts";
import { NoStackError } from "../src/stack/service-connections.ts";
import { UserError } from "../src/user-error.ts";
import { openLinkedCatalog } from "./support/linked-catalog.ts";
import type { LinkedCatalog } from "./support/linked-catalog.ts";

const explain = (_: string, error: unknown) => Promise.resolve(error);

let catalog: LinkedCatalog;
let directory: TemporaryDirectory;
let notes: string[];

beforeAll(async () => {
  directory = await makeTemporaryDirectory();
  catalog = await openLinkedCatalog();
});
beforeEach(async () => {
  await catalog.start();
  notes = [];
});
afterEach(() => catalog.reset());
afterAll(async () => {
  await catalog.close();
  await directory.remove();
});

interface OpenOptions {
  retryForMs?: number;
  sentToken?: string;
}

function openImport({ retryForMs = 60_000, sentToken }: OpenOptions = {}) {
  const summary = createSummaryRecorder(() => undefined, Infinity);
  const importer = createImporter({
    summary,
    connections: {
      open: async () => catalog.connect(sentToken),
      explain,
    },
    retryForMs,
    note: (line) => notes.push(line),
  });
  return { importer, result: () => summary.result() };
}

async function addTags(importer: Importer, from: number, to: number): Promise<void> {
  for (let line = from; line <= to; line++) {
    const text = JSON.stringify({ kind: "tag", record: { id: `tag-${line}` } });
    await importer.addLine(text, { file: "tags", line }, text.length);
  }
}

it("an import resumes where its stream broke when its service is restarted", async () => {
  const { importer, result } = openImport();
  await addTags(importer, 1, 1200);
  await vi.waitUntil(async () => (await catalog.countTags()) >= 500);
  await catalog.stop();
  const adding = addTags(importer, 1201, 6000);
  await vi.waitUntil(() => notes.length > 0);
  await catalog.start();
  await adding;
  expect(await importer.finish()).toEqual([]);

  const { kinds, errors } = result();
  expect(errors).toEqual([]);
  expect(kinds["tag"]).toMatchObject({ read: 6000, stale: 0, rejected: 0 });
  expect((kinds["tag"]?.written ?? 0) + (kinds["tag"]?.unchanged ?? 0)).toBe(6000);
  expect(await catalog.countTags()).toBe(6000);
  expect(notes[0]).toContain("Waiting for the catalog service");
  expect(notes.at(-1)).toContain("back after");
});

it("lines whose response was lost are sent again unchanged, written once, and reported", async () => {
  const { importer, result } = openImport();
  await addTags(importer, 1, 500);
  await vi.waitUntil(async () => (await catalog.countTags()) === 500);
  catalog.link.stallResponses();
  await addTags(importer, 501, 1000);
  await vi.waitUntil(async () => (await catalog.countTags()) === 1000);
  const state = `select id, observed_at from catalog.tag order by id`;
  const before = await catalog.database.read(state);
  catalog.link.cut();
  catalog.link.heal();
  expect(await importer.finish()).toEqual([]);

  const { kinds, sentAgain } = result();
  expect(kinds["tag"]).toMatchObject({ read: 1000, stale: 0, rejected: 0 });
  expect(kinds["tag"]?.unchanged).toBe(sentAgain);
  expect(sentAgain).toBeGreaterThanOrEqual(500);
  expect(await catalog.database.read(state)).toEqual(before);
  expect(await catalog.countWrites()).toBe(1000);
});

it("an import waits for a service up to its limit", async () => {
  await catalog.stop();
  for (const retryForMs of [0, 500]) {
    const { importer } = openImport({ retryForMs });
    await addTags(importer, 1, 1);
    const [error] = await importer.finish();
    expect(error).toBeInstanceOf(ChannelBrokenError);
    expect((error as ChannelBrokenError).firstUnanswered).toEqual({ file: "tags", line: 1 });
  }
  expect(notes).toHaveLength(1);
});

async function runExportTo(file: string, env: Record<string, string> = {}) {
  const url = "http://127.0.0.1:1";
  const grpcAddress = `127.0.0.1:${catalog.link.port}`;
  const services = { catalog: { url, grpcAddress } };
  await writeStackFile(directory.path, { pid: 1, gatewayUrl: url, services });
  const ignore = () => undefined;
  const terminal = {
    out: ignore,
    note: (line: string) => notes.push(line),
    progress: () => ({ update: ignore, clear: ignore, end: ignore }),
  };
  return await runExport(
    { file, retryForMs: 60_000 },
    { dataDirectory: directory.path, env: { INGEST_TOKEN: catalog.token, ...env }, terminal },
  );
}

it("an export waits for a service that is unavailable before its first record", async () => {
  const { importer } = openImport();
  await addTags(importer, 1, 1);
  expect(await importer.finish()).toEqual([]);
  await catalog.stop();
  const file = directory.file("all.ndjson");
  const exporting = runExportTo(file);
  await vi.waitUntil(() => notes.length > 0);
  await catalog.start();
  expect(await exporting).toEqual({ kinds: { tag: 1 }, file });
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ record: { id: "tag-1" } });
});

it("an export fails at once when the TLS handshake fails", async () => {
  const env = { CATALOG_GRPC_URL: `https://127.0.0.1:${catalog.link.port}` };
  await expect(runExportTo(directory.file("none.ndjson"), env)).rejects.toThrow(/TLS/);
  expect(notes).toEqual([]);
});

it("an import does not retry a permanent rejection", async () => {
  const { importer } = openImport({ sentToken: "a-token-of-somebody-else" });
  await addTags(importer, 1, 1);
  const [error] = await importer.finish();
  const cause = (error as ChannelBrokenError).cause;
  expect(cause).toBeInstanceOf(ConnectError);
  expect((cause as ConnectError).code).toBe(Code.Unauthenticated);
  expect(notes).toEqual([]);
});

it("an import waits for a stack that is not running yet, but not after other errors of the user", async () => {
  await catalog.stop();
  const importAfter = async (failure: Error) => {
    let connections = 0;
    const summary = createSummaryRecorder(() => undefined, Infinity);
    const importer = createImporter({
      summary,
      connections: {
        open: async () => {
          connections += 1;
          if (connections === 2) throw failure;
          if (connections > 2 && !catalog.isRunning()) await catalog.start();
          return catalog.connect();
        },
        explain,
      },
      retryForMs: 60_000,
      note: (line) => notes.push(line),
    });
    await addTags(importer, 1, 1);
    return await importer.finish();
  };
  const unusable = new UserError("The ingest token is too short.");
  expect(await importAfter(unusable)).toMatchObject([{ cause: unusable }]);
  expect(await importAfter(new NoStackError("There is no running stack."))).toEqual([]);
});

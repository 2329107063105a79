import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  describeUnlessMissing,
  describeWithTypesense,
  missingTypesenseProgram,
  startHttpProxy,
  startTypesense,
} from "../src/index.ts";

const headers = { "x-typesense-api-key": "test", "content-type": "application/json" };
const create = async (url: string, name: string) =>
  await fetch(`${url}/collections`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name, fields: [{ name: "n", type: "int32" }] }),
  });
const names = async (url: string) => {
  const collections = await (await fetch(`${url}/collections`, { headers })).json();
  return (collections as { name: string }[]).map(({ name }) => name);
};

describeWithTypesense("the server of a worker", (typesense) => {
  it("forgets what a suite has made, and nothing else", async () => {
    const { url, prefix } = typesense.address();
    await create(url, `${prefix}_mine`);
    await create(url, "another");
    expect(await names(url)).toEqual(expect.arrayContaining([`${prefix}_mine`, "another"]));
    await typesense.empty();
    expect(await names(url)).not.toContain(`${prefix}_mine`);
    expect(await names(url)).toContain("another");
    await fetch(`${url}/collections/another`, { method: "DELETE", headers });
  });
});

describeUnlessMissing("a server of a test's own", missingTypesenseProgram(), () => {
  it("holds after SIGKILL what it has acknowledged", async () => {
    const directory = await mkdtemp(join(tmpdir(), "typesense-"));
    const server = await startTypesense({ directory });
    await create(server.url, "kept");
    await server.kill();
    const port = Number(new URL(server.url).port);
    const again = await startTypesense({ directory, port });
    expect(again.url).toBe(server.url);
    expect(await names(again.url)).toEqual(["kept"]);
    await again.stop();
    await rm(directory, { recursive: true });
  });

  it("is reached through a proxy that has faults", async () => {
    const server = await startTypesense();
    const proxy = await startHttpProxy(server.url);
    const status = async () =>
      await fetch(`${proxy.url}/health`, { signal: AbortSignal.timeout(500) }).then(
        (response) => response.status,
        () => undefined,
      );
    expect(await status()).toBe(200);
    for (const fault of ["cut", "stalled"] as const) {
      proxy.faultOf = () => fault;
      expect(await status()).toBeUndefined();
    }
    proxy.faultOf = ({ path }) => (path === "/health" ? { status: 503 } : undefined);
    expect(await status()).toBe(503);
    proxy.faultOf = () => undefined;
    await proxy.refuse();
    expect(await status()).toBeUndefined();
    await proxy.listen();
    expect(await status()).toBe(200);
    await proxy.stop();
    await server.stop();
  });
});

import {
  describeUnlessMissing,
  findProgram,
  makeTemporaryDirectory,
  startStack,
} from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { execFile, spawnSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, "../../../..");
const smoke = (extension: string) => join(import.meta.dirname, `smoke.${extension}`);

const needed = ["protoc", "grpc_python_plugin", "protoc-gen-go", "protoc-gen-go-grpc", "go"];
const missing = needed.filter((program) => findProgram(program) === undefined);
// Debian's Python, which has Debian's grpc.
const python = "/usr/bin/python3";
if (spawnSync(python, ["-c", "import grpc, google.protobuf"]).status !== 0) {
  missing.push("python3-grpcio");
}

describeUnlessMissing(
  "generated gRPC clients",
  missing.length === 0 ? undefined : `not installed: ${missing.join(", ")}`,
  () => {
    let directory: TemporaryDirectory;
    let stack: TestStack;
    let parameters: string[];
    let expected: { title: string; regions: string[] };

    beforeAll(async () => {
      directory = await makeTemporaryDirectory();
      stack = await startStack({ parameters: ["--offers", "20"] });
      await run(join(repository, "deploy/clients/build-clients.sh"), {
        env: { ...process.env, OUT: directory.file("clients") },
      });
      const get = async (path: string): Promise<unknown> =>
        (await fetch(`${stack.gatewayUrl}${path}`)).json();
      const { offers } = (await get("/offers?limit=1")) as {
        offers: [{ id: string; title: string }];
      };
      const regions = (await get("/regions")) as { region: string }[];
      const { catalog, pricing } = stack.services;
      parameters = [catalog?.grpcAddress ?? "", pricing?.grpcAddress ?? "", offers[0].id];
      expected = { title: offers[0].title, regions: regions.map(({ region }) => region) };
    });
    afterAll(async () => {
      await stack?.stop();
      await directory?.remove();
    });

    it("read from Python", async () => {
      const env = { ...process.env, PYTHONPATH: directory.file("clients/python") };
      const { stdout } = await run(python, [smoke("py"), ...parameters], { env });
      expect(JSON.parse(stdout)).toEqual({ ...expected, unknown: "NOT_FOUND" });
    });

    it("read from Go", async () => {
      // Debian's Go libraries are source trees below a GOPATH, so the module is one too.
      const gopath = directory.file("go");
      await mkdir(join(gopath, "src/storefront.example"), { recursive: true });
      await symlink(directory.file("clients/go"), join(gopath, "src/storefront.example/client"));
      const env = {
        ...process.env,
        GO111MODULE: "off",
        GOPATH: `${gopath}:/usr/share/gocode`,
        GOCACHE: directory.file("go-cache"),
      };
      const { stdout } = await run("go", ["run", smoke("go"), ...parameters], { env });
      expect(JSON.parse(stdout)).toEqual({ ...expected, unknown: "NotFound" });
    });
  },
);

import { loadSync } from "@grpc/proto-loader";
import { globSync } from "node:fs";
import { expect, it } from "vitest";

const directory = new URL("../../../proto", import.meta.url).pathname;
const files = globSync("storefront/**/*_service.proto", { cwd: directory });

it.each(files)("%s, with its rules, is read by the loader that gRPC has for Node", (file) => {
  const definitions = loadSync(file, { includeDirs: [directory] });
  const services = Object.keys(definitions).filter((name) => name.endsWith("Service"));
  expect(services).toHaveLength(1);
});

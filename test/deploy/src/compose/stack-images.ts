import { typesenseProgram } from "@storefront/testkit";
import { dirname, resolve } from "node:path";
import { buildImages } from "../build-images.ts";
import type { ContainerTools } from "../container-tools.ts";
import { tag } from "./compose-stack.ts";

const root = resolve(import.meta.dirname, "../..");

/** Makes the images that compose.yaml and compose/stand-ins.yaml name. */
export async function makeStackImages(tools: ContainerTools): Promise<void> {
  const build = async (name: string, context: string, parameters: readonly string[] = []) => {
    const image = `--tag=docker.io/storefront-test/${name}:${tag}`;
    await tools.run("buildah", ["bud", "--quiet", "--network=host", image, ...parameters, context]);
  };
  await build("databases", resolve(root, "kubernetes/databases"));
  const dockerfile = resolve(root, "compose/typesense/Dockerfile");
  await build("typesense", dirname(await typesenseProgram()), [`--file=${dockerfile}`]);
  await buildImages(tools, { tag });
}

import { resolve } from "node:path";
import type { ContainerTools } from "./container-tools.ts";

const root = resolve(import.meta.dirname, "../../..");

/** The processes that have images. */
export const imageNames = [
  "cli",
  "catalog",
  "pricing",
  "reviews",
  "changelog",
  "search",
  "webhooks",
  "gateway",
] as const;

export type ImageName = (typeof imageNames)[number];

/** Name of an image as the tools store it. */
export function imageOf(name: ImageName, tag: string): string {
  return `docker.io/storefront/${name}:${tag}`;
}

/**
 * Bundles a checkout and builds an image of every process, with the current commands and Dockerfile.
 *
 * @param options.from the checkout, with its dependencies installed; default this one.
 */
export async function buildImages(
  tools: ContainerTools,
  { tag, from = root }: { tag: string; from?: string },
): Promise<void> {
  const program = resolve(root, "deploy/bundle/src/main.ts");
  await tools.run(process.execPath, [program, "--from", from]);
  await tools.run(resolve(root, "deploy/docker/build-images.sh"), [], {
    env: {
      CONTEXT: from,
      BUILD: "buildah bud --quiet --network=host",
      BASE: tools.baseImage,
      REPOSITORY: "docker.io/storefront",
      TAG: tag,
    },
  });
}

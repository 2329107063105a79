import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ContainerTools } from "../container-tools.ts";

/** The metadata of an image. */
export interface ImageFacts {
  sizeBytes: number;
  labels: Readonly<Record<string, string>>;
  /** The user of its process. */
  user: string;
}

/** @throws Error when there is no such image */
export async function inspectImage(tools: ContainerTools, image: string): Promise<ImageFacts> {
  const [facts] = JSON.parse(await tools.run("podman", ["image", "inspect", image])) as [
    { Size: number; Config: { Labels?: Record<string, string>; User?: string } },
  ];
  return {
    sizeBytes: facts.Size,
    labels: facts.Config.Labels ?? {},
    user: facts.Config.User ?? "",
  };
}

/** Paths of everything in an image except directories, without the leading slash. */
export function filesOf(tools: ContainerTools, image: string): Promise<string[]> {
  return withMounted(tools, image, async (root) => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  });
}

/** The text of a file in an image. */
export function readFileOf(tools: ContainerTools, image: string, path: string): Promise<string> {
  return withMounted(tools, image, (root) => readFile(join(root, path), "utf8"));
}

async function withMounted<Result>(
  tools: ContainerTools,
  image: string,
  read: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = (await tools.run("podman", ["image", "mount", image])).trim();
  try {
    return await read(root);
  } finally {
    await tools.run("podman", ["image", "unmount", image]);
  }
}

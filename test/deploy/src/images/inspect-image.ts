import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ContainerTools } from "../container-tools.ts";

/** What an image says of itself. */
export interface ImageFacts {
  sizeBytes: number;
  labels: Readonly<Record<string, string>>;
  /** Who its process runs as. */
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

/** Paths of everything in an image that is no directory, without the slash at the beginning. */
export async function filesOf(tools: ContainerTools, image: string): Promise<string[]> {
  const root = (await tools.run("podman", ["image", "mount", image])).trim();
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  } finally {
    await tools.run("podman", ["image", "unmount", image]);
  }
}

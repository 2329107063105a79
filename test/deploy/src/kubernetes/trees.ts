import { join, resolve } from "node:path";
import { manifestsDirectory } from "./render.ts";

/** Lists every component. */
export const everyComponent = resolve(import.meta.dirname, "../../kubernetes/components");

/** What is built of the manifests, by what it is called in tests. */
export const trees = {
  base: join(manifestsDirectory, "base"),
  "every component": everyComponent,
  "overlays/dev": join(manifestsDirectory, "overlays/dev"),
  "overlays/prod": join(manifestsDirectory, "overlays/prod"),
};

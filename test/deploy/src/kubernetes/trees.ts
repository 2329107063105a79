import { cp, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeTemporaryDirectory } from "@storefront/testkit";
import { manifestsDirectory, render } from "./render.ts";
import type { Manifest } from "./render.ts";

/** Lists every component. */
export const everyComponent = resolve(import.meta.dirname, "../../kubernetes/components");

/** The overlay that is copied and changed. */
export const production = join(manifestsDirectory, "overlays/prod");

/** The rendered manifests, by their names in tests. */
export const trees = {
  base: () => render(join(manifestsDirectory, "base")),
  "every component": () => render(everyComponent),
  "overlays/dev": () => render(join(manifestsDirectory, "overlays/dev")),
  "overlays/prod": () => render(production),
  "overlays/prod with api-keys": () => productionWith("api-keys"),
  "overlays/prod with ingest": () => productionWith("ingest"),
  "overlays/prod with neon": () => productionWith("neon"),
  "overlays/prod with purge": () => productionWith("purge"),
  "overlays/prod with redis": () => productionWith("redis", "redis-outside"),
  "overlays/prod with tls": () => productionWith("tls"),
  "overlays/prod with typesense": () => productionWith("typesense"),
  "overlays/prod with webhooks": () => productionWith("webhooks"),
};

/** A copy of the overlay for production that has one more component, or one in place of another. */
async function productionWith(component: string, inPlaceOf?: string): Promise<Manifest[]> {
  const directory = await makeTemporaryDirectory();
  try {
    await cp(manifestsDirectory, directory.path, { recursive: true });
    const overlay = directory.file("overlays/prod");
    const file = join(overlay, "kustomization.yaml");
    const text = await readFile(file, "utf8");
    const known = `  - ../../components/${inPlaceOf ?? "network-policies"}\n`;
    if (!text.includes(known)) throw new Error(`the overlay has no ${known}`);
    const retained = inPlaceOf === undefined ? known : "";
    await writeFile(file, text.replace(known, `${retained}  - ../../components/${component}\n`));
    return await render(overlay);
  } finally {
    await directory.remove();
  }
}

import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "rolldown";
import type { BundledPackage } from "./packages-in.ts";

/**
 * Packages that read files beside their modules by `__dirname`, and the folder of those files. Read
 * by release 0.1.0 only.
 */
const packageFolders: Readonly<Record<string, string>> = {
  "grpc-health-check": "proto",
  "@grpc/reflection": "build/proto",
};

/** Where sources find files beside them, and where a bundle has them. */
const places = [
  {
    module: /\/services\/([a-z]+)\/src\/[\w-]+\.ts$/,
    source: `new URL("../migrations", import.meta.url)`,
    bundled: `new URL("migrations/$1", import.meta.url)`,
  },
  {
    module: /\/services\/search\/src\/engine\/postgres\/vector-thread\.ts$/,
    source: `new URL("./vector-worker.ts", import.meta.url)`,
    bundled: `new URL("vector-worker.js", import.meta.url)`,
  },
  {
    module: /\/gateway\/src\/docs\/reference-files\.ts$/,
    source: `createRequire(import.meta.url).resolve("@scalar/api-reference")`,
    bundled: `join(import.meta.dirname, "api-reference/main.js")`,
  },
  {
    module:
      /\/node_modules\/(grpc-health-check|@grpc\/reflection)\/(build\/src(?:\/[\w-]+)*)\/[\w-]+\.js$/,
    source: "__dirname",
    bundled: `(import.meta.dirname + "/packages/$1/$2")`,
  },
];

/** Lets modules find in the bundle's directory what their sources have beside them. */
export function moveFiles(): Plugin {
  return {
    name: "move-files",
    transform: {
      filter: { id: places.map(({ module }) => module) },
      handler(code, id) {
        const place = places.find(({ module }) => module.test(id));
        if (place === undefined || !code.includes(place.source)) return undefined;
        const match = place.module.exec(id)?.[0] ?? "";
        return code.replaceAll(place.source, match.replace(place.module, place.bundled));
      },
    },
  };
}

/** Copies the files that modules of packages read. */
export async function copyPackageFiles(
  packages: readonly BundledPackage[],
  directory: string,
): Promise<void> {
  for (const { name, directory: source } of packages) {
    const folder = packageFolders[name];
    if (folder === undefined) continue;
    const target = join(directory, "packages", name, folder);
    await cp(join(source, folder), target, { recursive: true });
  }
}

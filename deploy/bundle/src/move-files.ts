import type { Plugin } from "rolldown";

/** Where sources find their files, and where a bundle has them. */
const places = [
  {
    module: /\/services\/([a-z]+)\/src\/[\w-]+\.ts$/,
    source: `new URL("../migrations", import.meta.url)`,
    bundled: `new URL("migrations/$1", import.meta.url)`,
  },
  {
    module: /\/gateway\/src\/docs\/guides\.ts$/,
    source: `new URL("../../../docs/api/", import.meta.url)`,
    bundled: `new URL("guides/", import.meta.url)`,
  },
  {
    module: /\/gateway\/src\/docs\/[\w-]+\.ts$/,
    source: `createRequire(import.meta.url).resolve("@scalar/api-reference")`,
    bundled: `join(import.meta.dirname, "api-reference/main.js")`,
  },
];

/** Lets modules find their files in the bundle's directory. */
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

import { buildPages } from "./build-pages.ts";
import { builtPages } from "./built-pages.ts";

// For images, which are given the directory: `node packages/explorer/build/main.ts [directory]`.
await buildPages(process.argv[2] ?? (await builtPages()).directory);

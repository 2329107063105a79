import { buildPages, replacePages } from "./build-pages.ts";
import { builtPages } from "./built-pages.ts";

// For images, which are given the directory: `node packages/explorer/build/main.ts [directory]`.
const directory = process.argv[2];
if (directory === undefined) await buildPages((await builtPages()).directory);
else await replacePages(directory);

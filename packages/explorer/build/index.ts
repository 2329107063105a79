export { buildPagesAside } from "./built-pages.ts";
export { buildPages, replacePages } from "./build-pages.ts";
export { builtPages } from "./built-pages.ts";
export type { BuiltPages } from "./built-pages.ts";

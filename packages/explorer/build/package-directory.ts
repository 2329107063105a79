import { fileURLToPath } from "node:url";

/** This package's directory, without a slash at its end. */
export const packageDirectory = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

export { ConfigError } from "./config-error.ts";
export { parseEnvironment } from "./parse-environment.ts";
export type { Environment } from "./parse-environment.ts";
export { startProcess } from "./start-process.ts";
export { zLogLevel, zPort, zToken, zUrl } from "./values.ts";

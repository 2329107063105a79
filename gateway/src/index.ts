export { zGatewayEnvironment } from "./config.ts";
export { createGateway } from "./create-gateway.ts";
export type { Gateway, GatewayOptions } from "./create-gateway.ts";
export { protectionOf } from "./protection/environment.ts";
export type { AppRouter } from "./routers/router.ts";

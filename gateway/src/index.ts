export { gatewaySettingsOf, gatewayVariables } from "./config.ts";
export { followFeedTail } from "./cache/feed-tail.ts";
export type { FeedCursor, FeedTail } from "./cache/feed-tail.ts";
export { createGateway } from "./create-gateway.ts";
export type { Gateway, GatewayOptions } from "./gateway-options.ts";
export type { AppRouter } from "./operations/router.ts";
export { purgedTags, wholeFeedTag } from "./tags/edge-tags.ts";

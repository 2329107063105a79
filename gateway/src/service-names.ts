/** The services behind the gateway, by the names that clients see. */
export const serviceNames = ["catalog", "pricing", "reviews", "changelog", "search"] as const;

export type ServiceName = (typeof serviceNames)[number];

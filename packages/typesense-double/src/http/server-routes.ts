import type { Route } from "./route.ts";

/** The server about itself. */
export const serverRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/health",
    isOpen: true,
    handle: () => ({ status: 200, body: { ok: true } }),
  },
  {
    method: "GET",
    path: "/debug",
    handle: () => ({ status: 200, body: { state: 1, version: "30.0" } }),
  },
];

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from "@tanstack/react-router";
import { parseFreeGamesParams } from "./free-games/free-games-params.ts";
import { AppLayout, NotFoundPage, PageFailure } from "./layout/app-layout.tsx";
import { parseQuery, stringifyQuery, textOf, withoutUndefined } from "./raw-params.ts";
import type { RawParams } from "./raw-params.ts";
import { parseSearchParams } from "./search/search-params.ts";
import { SearchPage } from "./search/search-page.tsx";
import { parseSettings } from "./settings.ts";
import type { SettingsParams } from "./settings.ts";

const rootRoute = createRootRoute({
  component: AppLayout,
  notFoundComponent: NotFoundPage,
  validateSearch: parseSettings,
  search: { middlewares: [retainSearchParams<SettingsParams>(["country", "locale"])] },
});

const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: parseSearchParams,
  component: SearchPage,
});

const offerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/offers/$offerId",
  component: lazyRouteComponent(() => import("./offer/offer-page.tsx"), "OfferPage"),
});

const changesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/changes",
  validateSearch: ({ q, type }: RawParams): { q?: string; type?: string } =>
    withoutUndefined({ q: textOf(q), type: textOf(type) }),
  component: lazyRouteComponent(() => import("./changes/changes-page.tsx"), "ChangesPage"),
});

const freeGamesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/free-games",
  validateSearch: parseFreeGamesParams,
  component: lazyRouteComponent(() => import("./free-games/free-games-page.tsx"), "FreeGamesPage"),
});

const askRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/ask",
  validateSearch: ({ q }: RawParams): { q?: string } => withoutUndefined({ q: textOf(q) }),
  component: lazyRouteComponent(() => import("./ask/ask-page.tsx"), "AskPage"),
});

/** The pages by URL, below `/explorer`. */
export function createPageRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([
      searchRoute,
      offerRoute,
      freeGamesRoute,
      changesRoute,
      askRoute,
    ]),
    basepath: "/explorer",
    parseSearch: parseQuery,
    stringifySearch: stringifyQuery,
    defaultPreload: "intent",
    defaultErrorComponent: PageFailure,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}

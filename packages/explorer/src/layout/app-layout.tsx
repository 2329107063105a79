import { Outlet } from "@tanstack/react-router";
import { Header } from "./header.tsx";
import { useFocusOnNavigation } from "./use-focus-on-navigation.ts";

/** What all pages have in common. */
export function AppLayout() {
  useFocusOnNavigation();
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <footer className="footer">
        <p>
          A frontend of the same <a href="/openapi.json">REST</a> and tRPC gateway that everyone
          else uses.
        </p>
      </footer>
    </>
  );
}

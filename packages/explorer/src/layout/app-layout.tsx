import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { Moon, Sun } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { StatePanel } from "../ui/state-panel.tsx";
import { HealthIndicator } from "./health-indicator.tsx";
import { SearchBox } from "./search-box.tsx";
import { CountrySelect, LocaleSelect } from "./settings-select.tsx";
import { useDocumentTitle } from "./use-document-title.ts";

/** The layout of all pages. */
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
          else uses: see its <a href="/docs/guides">guides</a>.
        </p>
      </footer>
    </>
  );
}

/** Moves the focus to the content of a new page, as a browser does between documents. */
function useFocusOnNavigation(): void {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(pathname);
  useEffect(() => {
    if (pathname === undefined) return;
    const isFirst = shown.current === undefined;
    if (!isFirst && shown.current !== pathname) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    shown.current = pathname;
  }, [pathname]);
}

/** Stays at the top: the pages, the search, the settings. */
function Header() {
  return (
    <header className="header">
      <div className="header__bar">
        <Link to="/" className="wordmark" search={{}} aria-label="Storefront Explorer, start page">
          Storefront
          <span className="wordmark__dot" aria-hidden="true" />
        </Link>
        <nav className="nav" aria-label="Pages">
          <Link to="/" search={{}} activeOptions={{ exact: true, includeSearch: false }}>
            Browse
          </Link>
          <Link to="/ask">Ask</Link>
          <Link to="/free-games">Free games</Link>
          <Link to="/changes">Changes</Link>
        </nav>
        <SearchBox />
        <div className="header__tools">
          <CountrySelect />
          <LocaleSelect />
          <ThemeToggle />
          <HealthIndicator />
        </div>
      </div>
    </header>
  );
}

/** For a URL without a page. */
export function NotFoundPage() {
  useDocumentTitle("Not found");
  return (
    <StatePanel kind="empty" title="Page not found" level={1}>
      <Link to="/" search={{}} className="button">
        Browse all offers
      </Link>
    </StatePanel>
  );
}

/** For a page that failed, or whose code could not be loaded. */
export function PageFailure() {
  return (
    <StatePanel kind="error" title="This page could not be shown" level={1}>
      <button type="button" className="button" onClick={() => location.reload()}>
        Reload
      </button>
    </StatePanel>
  );
}

type Theme = "light" | "dark";

/** Toggles the theme; the system's applies until then. */
function ThemeToggle() {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Use the ${other} theme`}
      onClick={() => {
        setTheme(other);
        applyTheme(other);
      }}
    >
      {theme === "dark" ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
    </button>
  );
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

// `public/theme.js` reads it before the first paint.
function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // The choice lasts until the page is left.
  }
}

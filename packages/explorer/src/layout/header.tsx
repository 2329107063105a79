import { Link } from "@tanstack/react-router";
import { CountrySelect } from "./country-select.tsx";
import { HealthIndicator } from "./health-indicator.tsx";
import { LocaleSelect } from "./locale-select.tsx";
import { SearchBox } from "./search-box.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

/** Stays at the top: where one is, what one looks for, for whom. */
export function Header() {
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

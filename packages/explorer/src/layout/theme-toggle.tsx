import { Moon, Sun } from "lucide-react";
import { useState } from "react";

type Theme = "light" | "dark";

/** Turns the theme over; the system's counts until then. */
export function ThemeToggle() {
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

// `public/theme.js` reads it back before the first paint.
function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // It lasts until the page is left.
  }
}

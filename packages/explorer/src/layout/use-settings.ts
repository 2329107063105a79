import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { defaultSettings, rememberSettings } from "../settings.ts";
import type { Settings } from "../settings.ts";

/** The country and locale of the URL. */
export function useSettings(): Settings {
  const { country, locale } = useSearch({ from: "__root__" });
  return useMemo(
    () => ({
      country: country ?? defaultSettings.country,
      locale: locale ?? defaultSettings.locale,
    }),
    [country, locale],
  );
}

/** Changes the settings in the URL and for the next visit. */
export function useChangeSettings(): (changed: Partial<Settings>) => void {
  const settings = useSettings();
  const navigate = useNavigate();
  return (changed) => {
    const next = { ...settings, ...changed };
    rememberSettings(next);
    void navigate({
      to: ".",
      search: (previous) => ({ ...previous, ...next }),
      replace: true,
      resetScroll: false,
    });
  };
}

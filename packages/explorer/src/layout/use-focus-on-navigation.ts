import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** Moves the focus to the content of a page that was gone to, as a browser does between documents. */
export function useFocusOnNavigation(): void {
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

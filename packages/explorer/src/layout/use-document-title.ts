import { useEffect } from "react";

/** Names the page in the browser's tab and history; undefined does not change the name. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Storefront Explorer`;
  }, [title]);
}

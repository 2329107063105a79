import { Link } from "@tanstack/react-router";
import { StatePanel } from "../ui/state-panel.tsx";
import { useDocumentTitle } from "./use-document-title.ts";

/** For an address that is no page's. */
export function NotFoundPage() {
  useDocumentTitle("Not found");
  return (
    <StatePanel kind="empty" title="There is no such page" level={1}>
      <Link to="/" search={{}} className="button">
        Browse all offers
      </Link>
    </StatePanel>
  );
}

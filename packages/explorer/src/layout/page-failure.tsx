import { StatePanel } from "../ui/state-panel.tsx";

/** For a page that broke, or whose code could not be loaded. */
export function PageFailure() {
  return (
    <StatePanel kind="error" title="This page could not be shown" level={1}>
      <button type="button" className="button" onClick={() => location.reload()}>
        Load it again
      </button>
    </StatePanel>
  );
}

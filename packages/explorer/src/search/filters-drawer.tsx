import { Dialog } from "@base-ui/react/dialog";
import { SlidersHorizontal, X } from "lucide-react";
import type { ReactNode } from "react";
import { countFilters } from "./search-params.ts";
import { useSearchParams } from "./use-search-params.ts";

interface FiltersDrawerProps {
  total: number | undefined;
  /** The filters. */
  children: ReactNode;
}

/** The filters where there is no room for them beside the offers. */
export function FiltersDrawer({ total, children }: FiltersDrawerProps) {
  const { params, clear } = useSearchParams();
  const count = countFilters(params);
  return (
    <Dialog.Root>
      <Dialog.Trigger className="button button--quiet filters-button">
        <SlidersHorizontal aria-hidden="true" />
        Filters{count === 0 ? "" : ` (${count})`}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer">
          <div className="drawer__head">
            <Dialog.Title className="drawer__title">Filters</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close the filters">
              <X aria-hidden="true" />
            </Dialog.Close>
          </div>
          <div className="drawer__body">{children}</div>
          <div className="drawer__foot">
            <button type="button" className="button button--quiet" onClick={clear}>
              Clear
            </button>
            <Dialog.Close className="button">
              {total === undefined ? "Show" : `Show ${total.toLocaleString("en")}`}
            </Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

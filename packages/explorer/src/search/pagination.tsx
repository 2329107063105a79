import { ChevronLeft, ChevronRight } from "lucide-react";

interface PaginationProps {
  page: number;
  total: number;
  pageSize: number;
  onChange: (page: number) => void;
  /** Name of the paged list; default "Pages". */
  label?: string;
}

// The gateway's limit for paging.
const reachMax = 10_000;

/** Links to other pages. */
export function Pagination({ page, total, pageSize, onChange, label = "Pages" }: PaginationProps) {
  const last = Math.ceil(Math.min(total, reachMax) / pageSize);
  if (last <= 1) return null;
  return (
    <nav className="pagination" aria-label={label}>
      <button
        type="button"
        className="button button--quiet"
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
      >
        <ChevronLeft aria-hidden="true" />
        Previous
      </button>
      <span>
        Page {page.toLocaleString("en")} of {last.toLocaleString("en")}
      </span>
      <button
        type="button"
        className="button button--quiet"
        disabled={page >= last}
        onClick={() => onChange(page + 1)}
      >
        Next
        <ChevronRight aria-hidden="true" />
      </button>
    </nav>
  );
}

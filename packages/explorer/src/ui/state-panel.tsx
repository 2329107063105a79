import { CircleSlash, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf } from "../api/failure.ts";
import type { CallError } from "../api/failure.ts";

interface StatePanelProps {
  kind: "empty" | "error";
  title: string;
  /** Level of the heading; default 2. */
  level?: 1 | 2 | 3;
  children?: ReactNode;
}

/** Replaces content that was not found, or cannot be shown. */
export function StatePanel({ kind, title, level = 2, children }: StatePanelProps) {
  const Icon = kind === "empty" ? SearchX : CircleSlash;
  const Heading = `h${level}` as const;
  return (
    <div className="state" data-kind={kind} role={kind === "error" ? "alert" : "status"}>
      <Icon className="state__icon" aria-hidden="true" />
      <Heading className="state__title">{title}</Heading>
      {children}
    </div>
  );
}

interface FailurePanelProps {
  error: CallError;
  /** The part that failed, such as "The search". */
  subject: string;
  onRetry: () => void;
  level?: 1 | 2 | 3;
}

/** Replaces the result of a failed call. */
export function FailurePanel({ error, subject, onRetry, level = 2 }: FailurePanelProps) {
  const { title, message } = failureOf(error, subject);
  return (
    <StatePanel kind="error" title={title} level={level}>
      <p className="state__text">{message}</p>
      <button type="button" className="button" onClick={onRetry}>
        Try again now
      </button>
    </StatePanel>
  );
}

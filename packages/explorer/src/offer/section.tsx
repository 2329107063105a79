import { useId } from "react";
import type { ReactNode } from "react";

interface SectionProps {
  title: string;
  /** Content next to the title: a count, a choice. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of the page with a heading. */
export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section__head">
        <h2 className="section__title" id={id}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** The placeholder of the lines of a section. */
export function LinesSkeleton({ lines }: { lines: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          className="skeleton skeleton--line"
          style={{ width: `${95 - ((line * 23) % 40)}%` }}
        />
      ))}
    </div>
  );
}

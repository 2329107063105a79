import { useLayoutEffect, useRef, useState } from "react";

/** The width of an element in CSS pixels, 0 before it is known, and the reference to give it. */
export function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    setWidth(element.current.getBoundingClientRect().width);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

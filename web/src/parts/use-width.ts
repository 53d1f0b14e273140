import { type RefObject, useLayoutEffect, useState } from 'react';

/** Small changes of a window need no new drawing. */
const STEP = 8;

/** A page that is shown again begins with the width it had, so that the reader comes back to the same place. */
let latest = 0;

/** The width of an element in pixels, rounded down; 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(latest);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => {
      latest = Math.floor(current.clientWidth / STEP) * STEP;
      setWidth(latest);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { useCloseOnNavigation } from './use-close-on-navigation.ts';

interface DialogProps {
  readonly open: boolean;
  readonly close: () => void;
  readonly title: string;
  /** What has the focus at first. Default: the first control. */
  readonly focus?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** A box over the page. Escape, a tap outside and any navigation to another page close it; focus returns to where it was. */
export function Dialog({ open, close, title, focus, children }: DialogProps) {
  useCloseOnNavigation(close);
  return (
    <Base.Root open={open} onOpenChange={(next) => next || close()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="popup dialog" initialFocus={focus}>
          <div className="dialog-head">
            <Base.Title>{title}</Base.Title>
            <Base.Close>Close</Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

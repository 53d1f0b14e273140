import { Popover as Base } from '@base-ui/react/popover';
import { type ReactNode, useState } from 'react';
import { useCloseOnNavigation } from './use-close-on-navigation.ts';

interface PopoverProps {
  /** What the button shows. */
  readonly label: ReactNode;
  /** The name of the box for screen readers. */
  readonly title: string;
  /** Class of the button. Default: none. */
  readonly className?: string;
  readonly children: ReactNode;
}

/** A button that opens a box of controls. Escape, a tap outside and any navigation to another page close it. */
export function Popover({ label, title, className, children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  useCloseOnNavigation(() => setOpen(false));
  return (
    <Base.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Base.Trigger className={className}>{label}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="positioner" sideOffset={4} align="start" collisionPadding={8}>
          <Base.Popup className="popup" aria-label={title}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

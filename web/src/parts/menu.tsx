import { Menu as Base } from '@base-ui/react/menu';
import { type ReactNode, useState } from 'react';
import { useCloseOnNavigation } from './use-close-on-navigation.ts';

interface MenuEntry {
  readonly label: ReactNode;
  /** Where it leads, or what it does. */
  readonly to: string | (() => void);
  /** Saves the address as a file of this name. Default: it is opened. */
  readonly download?: string;
}

interface MenuProps {
  readonly label: ReactNode;
  readonly entries: readonly MenuEntry[];
  /** Class of the button. Default: none. */
  readonly className?: string;
}

/** A button that opens a list of links and actions. Escape, a tap outside and any navigation to another page close it. */
export function Menu({ label, entries, className }: MenuProps) {
  const [open, setOpen] = useState(false);
  useCloseOnNavigation(() => setOpen(false));
  return (
    <Base.Root open={open} onOpenChange={(next) => setOpen(next)} modal={false}>
      <Base.Trigger className={className}>{label}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="positioner" sideOffset={4} align="start" collisionPadding={8}>
          <Base.Popup className="popup menu">
            {entries.map(({ label: entry, to, download }, i) =>
              typeof to === 'string' ? (
                <Base.LinkItem
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their order
                  key={i}
                  className="item"
                  href={to}
                  closeOnClick
                  {...(download !== undefined && { download })}
                >
                  {entry}
                </Base.LinkItem>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their order
                <Base.Item key={i} className="item" onClick={to}>
                  {entry}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

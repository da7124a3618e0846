// A word with a tooltip, which opens on hover, on focus and on a tap, stays while the pointer is over it, and closes with Escape.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface TooltipProps {
  readonly label: ComponentChildren;
  /** Read out with the word, so it has to make sense as plain text. */
  readonly children: ComponentChildren;
}

export function Tooltip({ label, children }: TooltipProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const show = () => setOpen(true);
  const hide = () => setOpen(false);

  // Before it is painted: Escape works as soon as the tooltip is visible.
  useLayoutEffect(() => {
    if (!open) return;
    const follow = () => {
      if (trigger.current && tip.current) place(tip.current, trigger.current.getBoundingClientRect());
    };
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    follow();
    // The tooltip is fixed in the window, and the word scrolls: also into sight, when it gets the focus.
    addEventListener('scroll', follow, { capture: true, passive: true });
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('scroll', follow, { capture: true });
      removeEventListener('keydown', onKey);
    };
  }, [open]);

  return (
    <div class="has-tooltip" onPointerEnter={show} onPointerLeave={hide}>
      <button type="button" ref={trigger} aria-describedby={id} onFocus={show} onBlur={hide} onClick={show}>
        {label}
      </button>
      <div role="tooltip" class="tip" id={id} ref={tip} hidden={!open}>
        {children}
      </div>
    </div>
  );
}

const MARGIN = 8;

/** Under the word, or above it where there is more room, and never past the sides of the window. */
function place(tip: HTMLElement, word: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.max(MARGIN, Math.min(word.left, clientWidth - width - MARGIN));
  const fitsBelow = word.bottom + height + MARGIN <= clientHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${fitsBelow || word.top < height ? word.bottom : word.top - height}px`;
}

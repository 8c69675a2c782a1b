/** A filter of the page, with the address of the page without it. */
export interface Chip {
  /** Category: Music */
  readonly text: string;
  readonly label: string;
  readonly href: string;
}

export function Chips({ chips }: { chips: readonly Chip[] }) {
  if (chips.length === 0) return null;
  return (
    <p class="k-chips">
      {chips.map(({ text, label, href }) => (
        <a class="k-chip" href={href} aria-label={label}>
          {`${text} ✕`}
        </a>
      ))}
    </p>
  );
}

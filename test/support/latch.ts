/** Something that is waited for, until it is opened. */
export interface Latch {
  readonly opened: Promise<void>;
  open(): void;
}

export function latch(): Latch {
  let resolveOpened: () => void;
  const opened = new Promise<void>((resolve) => (resolveOpened = resolve));
  return { opened, open: () => resolveOpened() };
}

/** The error of work that should fail, or undefined. */
export function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

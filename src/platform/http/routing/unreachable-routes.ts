import { isBelow, isProbePath, type Mounts, NAMESPACE } from '../../../config/mounts.js';

/** A handler of a module, as Nest registers it. */
export interface DeclaredRoute {
  readonly methods: readonly string[];
  /** A pattern of Express, such as `/rooms/:id`. */
  readonly path: string;
}

/**
 * Throws for handlers of modules that no request can reach, because they would answer 404 for ever. `isTaken`: whether the
 * service itself answers a method of a path below the mounts.
 */
export function rejectUnreachable(
  declared: readonly DeclaredRoute[],
  mounts: Mounts,
  isTaken: (path: string, method: string) => boolean,
): void {
  const problems = declared.flatMap((route) => {
    const reason = reasonOf(route, mounts, isTaken);
    return reason === undefined
      ? []
      : [`${route.methods.join(', ')} ${route.path} of a module can never be reached: ${reason}`];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function reasonOf(
  { methods, path }: DeclaredRoute,
  mounts: Mounts,
  isTaken: (path: string, method: string) => boolean,
): string | undefined {
  const sample = path.replace(/[{}]/g, '').replace(/[:*]"?\w+"?/g, 'x');
  if (isBelow(sample, `/${NAMESPACE}`)) {
    const below = sample.slice(NAMESPACE.length + 1);
    return methods.every((method) => isTaken(below, method)) ? TAKEN : undefined;
  }
  if (isProbePath(sample) || mounts.namespacesBelow(sample) !== undefined) return TAKEN;
  const mounted = mounts.find(sample);
  if (mounted === undefined) return undefined;
  return `${mounted.mount} is a mount of the service. Begin the path with ${NAMESPACE}, which is served below every mount.`;
}

const TAKEN = 'the service answers this path itself. Take another one.';

import type { Environment } from './environment.js';

/** The namespace of the interface, version included. */
export const NAMESPACE = 'calendar/events/v1';

/** What orchestrators and gateways ask, outside the mounts. */
export const HEALTH = { live: '/health/live', ready: '/health/ready' } as const;

/** Whether an address, with or without a query, is one of HEALTH. */
export function isProbePath(url: string): boolean {
  const path = url.split('?', 1)[0];
  return path === HEALTH.live || path === HEALTH.ready;
}

/** A path that lies under a mount. */
export interface MountedPath {
  /** Language prefix and mount, as in the request. */
  readonly mount: string;
  /** The language prefix, if there is one. */
  readonly language: string | undefined;
  /** The rest: '' or a path that begins with a slash. */
  readonly rest: string;
}

/** A compatibility mount by whose last three segments its clients know it; they look above those first. */
const BELOW_INDEX = /^(.*\/wp-json)\/([^/]+\/[^/]+\/[^/]+)$/;

/** Every mount is reachable as itself and under each language prefix (contract section 1). */
export class Mounts {
  /** The mount without language prefix that links from outside lead to. */
  readonly canonical: string;
  private readonly places: readonly Omit<MountedPath, 'rest'>[];
  /** The namespaces of the mounts right below a path, by that path. */
  private readonly indexes: ReadonlyMap<string, readonly string[]>;

  constructor(environment: Pick<Environment, 'BASE_PATH' | 'COMPAT_MOUNTS' | 'LANGUAGES'>) {
    this.canonical = `${environment.BASE_PATH}/${NAMESPACE}`;
    const places = [this.canonical, ...environment.COMPAT_MOUNTS].flatMap((mount) => [
      { mount, language: undefined },
      ...environment.LANGUAGES.map((language) => ({ mount: `/${language}${mount}`, language })),
    ]);
    // Where one mount lies below another, the longer one is meant.
    this.places = places.toSorted((a, b) => b.mount.length - a.mount.length);
    this.indexes = new Map(indexesOf(environment, this.canonical));
  }

  find(path: string): MountedPath | undefined {
    const place = this.places.find(({ mount }) => path === mount || path.startsWith(`${mount}/`));
    return place && { ...place, rest: path.slice(place.mount.length) };
  }

  /** What a client of a compatibility mount is told that it finds below this path; undefined: nobody looks here. */
  namespacesBelow(path: string): readonly string[] | undefined {
    return this.indexes.get(path.replace(/\/$/, ''));
  }
}

function* indexesOf(
  { COMPAT_MOUNTS, LANGUAGES }: Pick<Environment, 'COMPAT_MOUNTS' | 'LANGUAGES'>,
  canonical: string,
): Generator<[string, readonly string[]]> {
  const mounts = [...COMPAT_MOUNTS, canonical].map((mount) => BELOW_INDEX.exec(mount) ?? []);
  // The canonical mount alone makes no such place: its clients know where it is.
  for (const [, place] of mounts.slice(0, -1)) {
    if (place === undefined) continue;
    const namespaces = mounts.filter(([, other]) => other === place).map(([, , namespace = '']) => namespace);
    for (const prefix of ['', ...LANGUAGES.map((language) => `/${language}`)]) {
      yield [`${prefix}${place}`, [...new Set(namespaces)]];
    }
  }
}

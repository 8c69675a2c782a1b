import type { Environment } from './environment.js';

/** The namespace of the API, with its version. */
export const NAMESPACE = 'calendar/events/v1';

/** The paths of health probes by orchestrators and gateways, outside the mounts. */
export const HEALTH = { live: '/health/live', ready: '/health/ready' } as const;

/** Whether a URL, with or without a query, is a health path. */
export function isProbePath(url: string): boolean {
  const path = url.split('?', 1)[0];
  return path === HEALTH.live || path === HEALTH.ready;
}

/** Whether a path is a given one, or below it. */
export function isBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(`${top}/`);
}

/** A path below a mount. */
export interface MountedPath {
  /** Language prefix and mount, as in the request URL. */
  readonly mount: string;
  /** The language prefix, if there is one. */
  readonly language: string | undefined;
  /** The rest of the path: '' or a path that begins with a slash. */
  readonly rest: string;
}

/** A compatibility mount. Its clients first request the path before its last three segments, which lists namespaces. */
const COMPATIBILITY_MOUNT = /^(.*\/wp-json)\/([^/]+\/[^/]+\/[^/]+)$/;

/** The mounts, each without and with a language prefix (contract section 1). */
export class Mounts {
  /** The mount of links outside a request, without a language prefix. */
  readonly canonical: string;
  private readonly languages: readonly string[];
  private readonly mounts: readonly Omit<MountedPath, 'rest'>[];
  /** Maps a path to the namespaces of the mounts directly below it. */
  private readonly indexes: ReadonlyMap<string, readonly string[]>;

  constructor(environment: Pick<Environment, 'BASE_PATH' | 'COMPAT_MOUNTS' | 'LANGUAGES'>) {
    this.canonical = `${environment.BASE_PATH}/${NAMESPACE}`;
    this.languages = environment.LANGUAGES;
    const mounts = [this.canonical, ...environment.COMPAT_MOUNTS].flatMap((mount) => [
      { mount, language: undefined },
      ...environment.LANGUAGES.map((language) => ({ mount: `/${language}${mount}`, language })),
    ]);
    // If one mount is below another, the longer one matches.
    this.mounts = mounts.toSorted((a, b) => b.mount.length - a.mount.length);
    this.indexes = new Map(namespaceIndexes(environment, this.canonical));
  }

  find(path: string): MountedPath | undefined {
    const mounted = this.mounts.find(({ mount }) => isBelow(path, mount));
    return mounted && { ...mounted, rest: path.slice(mounted.mount.length) };
  }

  /** Returns the mount with each language prefix, by language. `mount` may have a prefix. */
  inLanguages(mount: string): ReadonlyMap<string, string> {
    const prefixed = this.mounts.find((one) => one.mount === mount)?.language;
    const bare = prefixed === undefined ? mount : mount.slice(prefixed.length + 1);
    return new Map(this.languages.map((language) => [language, `/${language}${bare}`]));
  }

  /** Returns the namespaces that clients of a compatibility mount find below a path, or undefined for other paths. */
  namespacesBelow(path: string): readonly string[] | undefined {
    return this.indexes.get(path.replace(/\/$/, ''));
  }
}

function* namespaceIndexes(
  { COMPAT_MOUNTS, LANGUAGES }: Pick<Environment, 'COMPAT_MOUNTS' | 'LANGUAGES'>,
  canonical: string,
): Generator<[string, readonly string[]]> {
  const mounts = [...COMPAT_MOUNTS, canonical].map((mount) => COMPATIBILITY_MOUNT.exec(mount) ?? []);
  // The canonical mount, the last one, needs no index, because its clients know its path.
  for (const [, index] of mounts.slice(0, -1)) {
    if (index === undefined) continue;
    const namespaces = mounts.filter(([, other]) => other === index).map(([, , namespace = '']) => namespace);
    for (const prefix of ['', ...LANGUAGES.map((language) => `/${language}`)]) {
      yield [`${prefix}${index}`, [...new Set(namespaces)]];
    }
  }
}

import type { Environment } from '../config/environment.js';

/** The namespace of the interface, version included. */
export const NAMESPACE = 'calendar/events/v1';

/** A path that lies under a mount. */
export interface MountedPath {
  /** Language prefix and mount, as in the request. */
  readonly mount: string;
  /** The language prefix, if there is one. */
  readonly language: string | undefined;
  /** The rest: '' or a path that begins with a slash. */
  readonly rest: string;
}

/** Every mount is reachable as itself and under each language prefix (contract section 1). */
export class Mounts {
  /** The mount without language prefix that links from outside lead to. */
  readonly canonical: string;
  private readonly places: readonly Omit<MountedPath, 'rest'>[];

  constructor(environment: Pick<Environment, 'BASE_PATH' | 'COMPAT_MOUNTS' | 'LANGUAGES'>) {
    this.canonical = `${environment.BASE_PATH}/${NAMESPACE}`;
    const places = [this.canonical, ...environment.COMPAT_MOUNTS].flatMap((mount) => [
      { mount, language: undefined },
      ...environment.LANGUAGES.map((language) => ({ mount: `/${language}${mount}`, language })),
    ]);
    // Where one mount lies below another, the longer one is meant.
    this.places = places.toSorted((a, b) => b.mount.length - a.mount.length);
  }

  find(path: string): MountedPath | undefined {
    const place = this.places.find(({ mount }) => path === mount || path.startsWith(`${mount}/`));
    return place && { ...place, rest: path.slice(place.mount.length) };
  }
}

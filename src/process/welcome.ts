import { version } from '../config/version.js';

/** What the terminal shows when the service is ready. */
export interface Start {
  /** The URL of the canonical mount. */
  readonly apiRoot: string;
  /** The file or the setting with the token of the first administrator, if that is still valid. */
  readonly tokenPlace: string | undefined;
}

/** Returns four lines: name and version, address, documentation, token. */
export function welcome({ apiRoot, tokenPlace }: Start): string {
  return [
    `Kalends ${version()}`,
    `  Address        ${apiRoot}`,
    `  Documentation  ${apiRoot}/doc`,
    `  Token          ${tokenPlace ?? 'make one: kalends token create LOGIN'}`,
    '',
  ].join('\n');
}

import { readFileSync } from 'node:fs';

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  readonly gypfile?: boolean;
  readonly engines?: { readonly node: string };
}

interface Tools {
  readonly dependencies: Record<string, string>;
}

/** Of every platform; a platform installs about 20 fewer. */
const MOST_PACKAGES = 400;

const read = <Json>(name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as Json;
const manifest = read<{
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  scarfSettings: { enabled: boolean };
}>('package.json');
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json');
const locked = Object.entries(packages).filter(([path]) => path !== '');
const inProduction = locked.filter(([, { dev }]) => dev !== true);

describe('the dependencies', () => {
  it('run no install script except that of the database driver, which may have to compile itself', () => {
    const scripted = inProduction.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    // @scarf/scarf would report the installation to its makers. It is disabled.
    expect(scripted).toEqual(['node_modules/@scarf/scarf', 'node_modules/better-sqlite3']);
    expect(manifest.scarfSettings).toEqual({ enabled: false });
    expect(manifest.allowScripts).toEqual({ 'better-sqlite3': true, '@scarf/scarf': false });
  });

  it('compile nothing from Node.js 22 on, where the driver has a ready-made binary; otherwise run npm run lock', () => {
    expect(packages['node_modules/better-sqlite3-13']?.gypfile).toBe(false);
    expect(packages['node_modules/better-sqlite3']?.engines).toEqual({ node: '20.x' });
  });

  it('are few: what `npm start` and `npm test` do not need is in tools/', () => {
    expect(locked.length).toBeLessThanOrEqual(MOST_PACKAGES);
    const { dependencies: tools } = read<Tools>('tools/package.json');
    const both = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...tools });
    const twice = both.filter(([name]) => name in tools && packages[`node_modules/${name}`] !== undefined);
    expect(twice).toEqual([]);
  });

  it('are pinned to exact versions', () => {
    const { dependencies, optionalDependencies, devDependencies } = manifest;
    const { dependencies: tools } = read<Tools>('tools/package.json');
    for (const version of Object.values({ ...dependencies, ...optionalDependencies, ...devDependencies, ...tools })) {
      expect(version).toMatch(/^(npm:(better-sqlite3|typescript)@)?\d+\.\d+\.\d+$/);
    }
  });

  it('that modules of other teams import are peers from the tested version on', () => {
    const { dependencies, peerDependencies } = manifest;
    const tested = Object.keys(peerDependencies).map((name) => [name, `^${packages[`node_modules/${name}`]?.version}`]);
    expect(peerDependencies).toEqual(Object.fromEntries(tested));
    // A second copy of one of them breaks injection, or the metadata of entities.
    expect(Object.keys(dependencies).filter((name) => /^(@nestjs|typeorm|rxjs|reflect-)/.test(name))).toEqual([]);
  });

  it('have an integrity hash in package-lock.json', () => {
    expect(locked.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });

  it('are at most 34', () => {
    const { dependencies, peerDependencies } = manifest;
    expect(Object.keys({ ...dependencies, ...peerDependencies }).length).toBeLessThanOrEqual(34);
  });
});

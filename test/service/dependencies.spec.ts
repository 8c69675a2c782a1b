import { readFileSync } from 'node:fs';

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
}

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
    // @scarf/scarf would report the installation to its makers. It is disabled, and newer npm does not run it.
    expect(scripted).toEqual(['node_modules/@scarf/scarf', 'node_modules/better-sqlite3']);
    expect(manifest.scarfSettings).toEqual({ enabled: false });
    expect(manifest.allowScripts).toEqual({ 'better-sqlite3': true });
  });

  it('are pinned to exact versions', () => {
    const { dependencies, optionalDependencies, devDependencies } = manifest;
    for (const version of Object.values({ ...dependencies, ...optionalDependencies, ...devDependencies })) {
      expect(version).toMatch(/^(npm:better-sqlite3@)?\d+\.\d+\.\d+$/);
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

  it('are at most 32', () => {
    const { dependencies, peerDependencies } = manifest;
    expect(Object.keys({ ...dependencies, ...peerDependencies }).length).toBeLessThanOrEqual(32);
  });
});

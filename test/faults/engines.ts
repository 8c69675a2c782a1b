/** The databases that the scenarios know, with their names in reports. */
export const ENGINES = { mariadb: 'MariaDB', mysql: 'MySQL', sqlite: 'SQLite' } as const;

export type Engine = keyof typeof ENGINES;

/** Those with a server of their own, which can fail by itself. */
export type ServerEngine = Exclude<Engine, 'sqlite'>;

/** Why scenarios leave engines out. */
export const NO_SERVER = { sqlite: 'it has no server of its own' } as const;
export const ONE_INSTANCE = { sqlite: 'two instances on one file are not promised' } as const;

export function isEngine(name: string): name is Engine {
  return Object.hasOwn(ENGINES, name);
}

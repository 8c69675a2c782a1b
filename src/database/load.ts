import type { DataSource } from 'typeorm';

/** How busy the way to the database is. */
export interface Load {
  /** Connections to a server; 0 on SQLite. */
  readonly open: number;
  /** Those of them that nobody uses. */
  readonly idle: number;
  /** Who waits for a connection or, on SQLite, for the turn to write. */
  readonly waiting: number;
}

/** mysql2 has no public figures. */
interface Pool {
  readonly _allConnections?: { readonly length: number };
  readonly _freeConnections?: { readonly length: number };
  readonly _connectionQueue?: { readonly length: number };
}

/** `writers`: those in the queue of this process. */
export function loadOf(dataSource: DataSource, writers: number): Load {
  const { pool } = dataSource.driver as { pool?: Pool };
  return {
    open: pool?._allConnections?.length ?? 0,
    idle: pool?._freeConnections?.length ?? 0,
    waiting: (pool?._connectionQueue?.length ?? 0) + writers,
  };
}

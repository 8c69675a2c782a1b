/** How the database is used. */
export interface DatabaseLimits {
  /** How many read rows are remembered; 0: none. */
  readonly cacheEntries: number;
  /** How long a write of another process may go unnoticed by what is remembered, in seconds. */
  readonly cacheStaleness: number;
  /** How long a request that reads, and one that writes, may use the database in all, in seconds. */
  readonly readTimeout: number;
  readonly writeTimeout: number;
}

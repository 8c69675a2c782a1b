/** Settings of the use of the database. */
export interface DatabaseLimits {
  /** Cache capacity in rows. 0: no cache. */
  readonly cacheEntries: number;
  /** How old cached rows may be after another process has written, in seconds. */
  readonly cacheStaleness: number;
  /** Total time that a reading request may use the database, in seconds. */
  readonly readTimeout: number;
  /** Total time that a writing request may use the database, in seconds. */
  readonly writeTimeout: number;
}

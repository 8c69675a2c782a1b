/** Returns the present as the database has it: `YYYY-MM-DD HH:MM:SS`, UTC. */
export function nowUtc(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ');
}

const WITHOUT_CHANGES = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a method changes nothing: it has no body, and the shorter time for the database. */
export function isSafe(method: string): boolean {
  return WITHOUT_CHANGES.includes(method);
}

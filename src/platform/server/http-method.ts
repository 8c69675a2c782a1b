const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a method is safe (RFC 9110, section 9.2.1): no body is read, and the read timeout applies. */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.includes(method);
}

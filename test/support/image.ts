const NAMES = ['thumbnail', 'medium', 'medium_large', 'large'];

/** Returns the `sizes` of an image that has a single file (contract section 8). */
export function sizesOf(
  url: string,
  known: { readonly width?: number; readonly height?: number; readonly 'mime-type'?: string } = {},
): Record<string, object> {
  return Object.fromEntries(NAMES.map((name) => [name, { ...known, url }]));
}

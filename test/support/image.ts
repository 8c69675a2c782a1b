const NAMES = ['thumbnail', 'medium', 'medium_large', 'large'];

/** The `sizes` of an image of which there is one file (contract section 8). */
export function sizesOf(
  url: string,
  known: { readonly width?: number; readonly height?: number; readonly 'mime-type'?: string } = {},
): Record<string, object> {
  return Object.fromEntries(NAMES.map((name) => [name, { ...known, url }]));
}

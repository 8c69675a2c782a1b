/** How a request names a record: by its id, or by its slug. */
export type Address = { readonly id: number } | { readonly slug: string };

export function byId(id: number): Address {
  return { id };
}

export function bySlug(slug: string): Address {
  return { slug };
}

/** The members that `_fields` selects (contract 5.3). */
type Tree = Map<string, Tree | 'whole'>;

/** Returns the selected members. `list`: the envelope key of a collection's records; undefined for a single record. */
export function sparseFields(body: object, paths: readonly string[], list: string | undefined): unknown {
  if (list === undefined) return pick(body, treeOf(paths));
  return sparseCollection(body as Record<string, unknown>, paths, list);
}

function sparseCollection(body: Record<string, unknown>, paths: readonly string[], list: string): unknown {
  const ofEnvelope = paths.filter((path) => ENVELOPE.has(head(path)) || Object.hasOwn(body, head(path)));
  const ofItems = paths.filter((path) => !ofEnvelope.includes(path));
  const items = body[list] as object[];
  if (ofEnvelope.length === 0) return { ...body, [list]: pick(items, treeOf(ofItems)) };
  // An empty list does not show which names exist, so every name keeps it.
  const known = ofItems.filter((path) => items.length === 0 || items.some((item) => Object.hasOwn(item, head(path))));
  const tree = treeOf([...ofEnvelope, ...known.map((path) => `${list}.${path}`)]);
  return pick(body, tree);
}

/** The keys of an envelope beside the list, including those that a page may lack (contract 9.1). */
const ENVELOPE = new Set(['rest_url', 'next_rest_url', 'previous_rest_url', 'total', 'total_pages']);

function head(path: string): string {
  return path.split('.', 1)[0] as string;
}

function treeOf(paths: readonly string[]): Tree {
  const tree: Tree = new Map();
  for (const path of paths) grow(tree, path.split('.'));
  return tree;
}

/** Adds a path. A whole member overrides its parts. */
function grow(tree: Tree, [name = '', ...rest]: readonly string[]): void {
  const branch = tree.get(name);
  if (branch === 'whole') return;
  if (rest.length === 0) {
    tree.set(name, 'whole');
    return;
  }
  const next = branch ?? new Map<string, Tree | 'whole'>();
  tree.set(name, next);
  grow(next, rest);
}

function pick(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, tree));
  if (typeof value !== 'object' || value === null) return value;
  const selected = Object.entries(value).filter(([name, member]) => {
    const branch = tree.get(name);
    return branch === 'whole' || (branch !== undefined && typeof member === 'object' && member !== null);
  });
  return Object.fromEntries(
    selected.map(([name, member]) => [
      name,
      tree.get(name) === 'whole' ? member : pick(member, tree.get(name) as Tree),
    ]),
  );
}

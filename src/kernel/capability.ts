/** Roles, lowest first (contract 7.2). */
export const ROLES = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that have each capability (contract 7.2). */
const ROLES_WITH = {
  edit_posts: ['contributor', 'author', 'editor', 'administrator'],
  publish_posts: ['author', 'editor', 'administrator'],
  edit_others_posts: ['editor', 'administrator'],
  add_images: ['author', 'editor', 'administrator'],
  manage_categories: ['author', 'editor', 'administrator'],
  manage_tags: ['editor', 'administrator'],
  manage_webhooks: ['administrator'],
} as const satisfies Record<string, readonly Role[]>;

export type Capability = keyof typeof ROLES_WITH;

const CAPABILITIES = new Map(ROLES.map((role) => [role, capabilitiesFromTable(role)]));

export function capabilitiesOf(role: Role): ReadonlySet<Capability> {
  return CAPABILITIES.get(role) ?? new Set();
}

/** The lower of two roles: a token never has more rights than its user (contract 7.1). */
export function lowerRole(a: Role, b: Role): Role {
  return ROLES.indexOf(a) <= ROLES.indexOf(b) ? a : b;
}

function capabilitiesFromTable(role: Role): ReadonlySet<Capability> {
  const entries = Object.entries(ROLES_WITH) as [Capability, readonly Role[]][];
  return new Set(entries.filter(([, roles]) => roles.includes(role)).map(([capability]) => capability));
}

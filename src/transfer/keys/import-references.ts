import type { UsersService } from '../../platform/auth/users.service.js';
import type { RecordName } from '../lines/export-line.js';

type Values = Record<string, unknown>;

const LISTS = { categories: 'category', tags: 'tag', venue: 'venue', organizer: 'organizer' } as const;

/**
 * What the slugs and logins of one export stand for here: a slug means what the same file has said before, since another
 * record may have it here.
 */
export class ImportReferences {
  private readonly ids = new Map<string, number>();
  private readonly users = new Map<string, number | undefined>();
  /** Logins of authors who are no users here. */
  readonly unknownAuthors = new Set<string>();

  constructor(private readonly accounts: UsersService) {}

  set(record: RecordName, slug: unknown, id: number): void {
    this.ids.set(`${record} ${String(slug)}`, id);
  }

  find(record: RecordName, slug: unknown): number | undefined {
    return this.ids.get(`${record} ${String(slug)}`);
  }

  /** The values with ids in the place of what is known; the rest stays, and is read like any other body. */
  async resolved({ author_login: login, ...values }: Values): Promise<Values> {
    const lists = Object.entries(LISTS)
      .filter(([name]) => Array.isArray(values[name]))
      .map(([name, record]) => [name, (values[name] as unknown[]).map((item) => this.idOf(record, item) ?? item)]);
    const author = await this.findUser(login);
    return { ...values, ...(author === undefined ? {} : { author }), ...(Object.fromEntries(lists) as Values) };
  }

  private idOf(record: RecordName, item: unknown): number | undefined {
    return typeof item === 'object' && item !== null
      ? this.find(record, (item as { slug?: unknown }).slug)
      : this.find(record, item);
  }

  /** undefined: the record will belong to whoever imports it. */
  private async findUser(login: unknown): Promise<number | undefined> {
    if (typeof login !== 'string') return undefined;
    if (this.users.size === 0) for (const user of await this.accounts.list()) this.users.set(user.login, user.id);
    if (!this.users.has(login)) this.unknownAuthors.add(login);
    return this.users.get(login);
  }
}

import type { UsersService } from '../../platform/auth/users.service.js';
import type { RecordName } from '../lines/export-line.js';

type Values = Record<string, unknown>;

const LISTS = { categories: 'category', tags: 'tag', venue: 'venue', organizer: 'organizer' } as const;

/**
 * Maps the slugs and logins of an export to ids. A slug means a record of an earlier line in the same file, because another
 * record may have this slug here.
 */
export class ImportReferences {
  private readonly ids = new Map<string, number>();
  private readonly users = new Map<string, number | undefined>();
  /** The logins of authors without a user here. */
  readonly unknownAuthors = new Set<string>();

  constructor(private readonly accounts: UsersService) {}

  set(record: RecordName, slug: unknown, id: number): void {
    this.ids.set(`${record} ${String(slug)}`, id);
  }

  find(record: RecordName, slug: unknown): number | undefined {
    return this.ids.get(`${record} ${String(slug)}`);
  }

  /** Returns the values with known slugs and logins replaced by ids. Others stay unchanged. */
  async resolve({ author_login: login, ...values }: Values): Promise<Values> {
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

  /** Returns the id of the user. undefined: the author will be the user that imports. */
  private async findUser(login: unknown): Promise<number | undefined> {
    if (typeof login !== 'string') return undefined;
    if (this.users.size === 0) for (const user of await this.accounts.list()) this.users.set(user.login, user.id);
    if (!this.users.has(login)) this.unknownAuthors.add(login);
    return this.users.get(login);
  }
}

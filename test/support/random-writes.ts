import type { Client, Reply } from './client.js';
import { E } from './factories.js';
import type { Random } from './random.js';

const COLLECTIONS = ['events', 'events', 'events', 'events', 'venues', 'organizers', 'categories', 'tags'] as const;
type Collection = (typeof COLLECTIONS)[number];
const NAMES: Record<Collection, string> = {
  events: 'title',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'name',
  tags: 'name',
};

/** Random writes of all kinds: creates, updates, publications, hidings, the trash, restores, permanent deletions. */
export class RandomWrites {
  /** The ids that were made. */
  private readonly ids: Record<Collection, number[]> = {
    events: [],
    venues: [],
    organizers: [],
    categories: [],
    tags: [],
  };
  private count = 0;

  constructor(
    private readonly client: Client,
    private readonly token: string,
    private readonly random: Random,
  ) {}

  /** Does the next write. Returns false if the service did not answer. Throws for an answer 500. */
  async next(): Promise<boolean> {
    const collection = this.random.pick(COLLECTIONS);
    const reply = await this.send(collection).catch(() => undefined);
    if (reply === undefined || reply.status === 503) return false;
    if (reply.status >= 500) throw new Error(reply.text);
    if (reply.status === 201) this.ids[collection].push(reply.body.id as number);
    return true;
  }

  private send(collection: Collection): Promise<Reply> {
    const { client, token, random } = this;
    const ids = this.ids[collection];
    if (ids.length < 3 || random.chance(0.25)) return client.post(`/${collection}`, this.fields(collection), token);
    const path = `/${collection}/${random.pick(ids)}`;
    if (random.chance(0.1)) return client.delete(`${path}?force=true`, token);
    if (random.chance(0.15)) return client.delete(path, token);
    return client.put(path, this.change(collection), token);
  }

  private fields(collection: Collection): object {
    const name = `${collection} ${(this.count += 1)}`;
    if (collection !== 'events') return { [NAMES[collection]]: name, ...this.parent(collection) };
    const status = this.random.pick(['publish', 'publish', 'draft', 'private']);
    return { ...E, title: name, status, ...this.links() };
  }

  private change(collection: Collection): object {
    const { random } = this;
    const name = { [NAMES[collection]]: `${collection} ${(this.count += 1)}` };
    if (collection === 'categories' || collection === 'tags') return { ...name, ...this.parent(collection) };
    const changes: object[] = [name, { status: random.pick(['publish', 'draft', 'pending', 'trash']) }];
    if (collection === 'events') {
      changes.push({ hide_from_listings: random.chance(0.5) }, { featured: random.chance(0.5) }, this.links());
      changes.push({ password: random.pick([null, 'sesame']) });
    }
    return random.pick(changes);
  }

  /** Links to records that may be gone by now; then the write is refused. */
  private links(): object {
    const { random, ids } = this;
    const some = (collection: Collection) =>
      ids[collection].length === 0 || random.chance(0.5) ? [] : [random.pick(ids[collection])];
    return {
      venue: some('venues'),
      organizer: some('organizers'),
      categories: some('categories'),
      tags: some('tags'),
    };
  }

  private parent(collection: Collection): object {
    const { random, ids } = this;
    return collection === 'categories' && random.chance(0.3) && ids.categories.length > 0
      ? { parent: random.pick(ids.categories) }
      : {};
  }
}

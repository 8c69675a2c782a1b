import { Random } from './random.js';
import * as vocabulary from './vocabulary.js';

/** The body of a create. */
export type Body = Readonly<Record<string, unknown>>;

/** The number of records of each kind in a data set. */
export interface Sizes {
  readonly events: number;
  readonly venues: number;
  readonly organizers: number;
  readonly categories: number;
  readonly tags: number;
}

/** Returns the sizes for a number of events. Up to 10,000 events there is a venue and an organizer per 20 events. */
export function sizesFor(events: number): Sizes {
  const linked = events <= 10_000 ? Math.max(10, Math.round(events / 20)) : Math.max(500, Math.round(events / 200));
  return { events, venues: linked, organizers: linked, categories: 50, tags: 200 };
}

/**
 * Generates the records of a data set, the same for the same seed and day. The ids are those of a database after creating
 * venues, organizers, categories, tags and events in this order. Categories and tags share an id sequence.
 */
export class Bodies {
  /** `day`: the day around which the events lie, in milliseconds since 1970. */
  constructor(
    private readonly sizes: Sizes,
    private readonly seed: number,
    private readonly day: number,
  ) {}

  venue(id: number): Body {
    const random = this.randomOf('venue', id);
    const city = random.pick(vocabulary.CITIES);
    return {
      venue: `${random.pick(vocabulary.ADJECTIVES)} ${random.pick(vocabulary.NOUNS)} Hall ${city} ${id}`,
      date_utc: this.time(-86_400 * (400 + (id % 3000))),
      description: random.chance(0.5) ? random.pick(vocabulary.SENTENCES) : '',
      address: `${random.whole(1, 200)} ${random.pick(vocabulary.SURNAMES)} Street`,
      city,
      country: random.pick(vocabulary.COUNTRIES),
      zip: String(random.whole(10_000, 99_999)),
      phone: random.chance(0.6) ? `+49 30 ${random.whole(100_000, 999_999)}` : '',
      website: random.chance(0.6) ? `https://venues.example/${id}` : '',
      image: random.chance(0.3) ? image(random.whole(1, 200)) : '',
      ...(random.chance(0.8)
        ? { geo_lat: random.whole(-60, 60) + 0.125, geo_lng: random.whole(-179, 179) + 0.25 }
        : {}),
    };
  }

  organizer(id: number): Body {
    const random = this.randomOf('organizer', id);
    const name = `${random.pick(vocabulary.NAMES)} ${random.pick(vocabulary.SURNAMES)}`;
    return {
      organizer: `${name} ${id}`,
      date_utc: this.time(-86_400 * (400 + (id % 3000))),
      description: random.chance(0.3) ? random.pick(vocabulary.SENTENCES) : '',
      phone: random.chance(0.5) ? `+33 1 ${random.whole(100_000, 999_999)}` : '',
      website: random.chance(0.5) ? `https://people.example/${id}` : '',
      email: random.chance(0.7) ? `person${id}@people.example` : '',
    };
  }

  /** Two thirds have one of the first categories as their parent. */
  category(id: number): Body {
    const subject = vocabulary.SUBJECTS[(id - 1) % vocabulary.SUBJECTS.length] as string;
    const isTop = id <= Math.ceil(this.sizes.categories / 3);
    const parent = isTop ? 0 : 1 + (id % Math.ceil(this.sizes.categories / 3));
    return { name: `${subject} ${id}`, description: `All about ${subject}`, ...(isTop ? {} : { parent }) };
  }

  tag(n: number): Body {
    return { name: `${vocabulary.COLOURS[n % vocabulary.COLOURS.length]} ${n}` };
  }

  event(id: number): Body {
    const random = this.randomOf('event', id);
    const title = [vocabulary.ADJECTIVES, vocabulary.NOUNS, vocabulary.CITIES]
      .map((list) => random.pick(list))
      .join(' ');
    return {
      title,
      ...this.when(random),
      ...texts(random),
      ...this.publication(random, id),
      ...this.links(random),
      ...extras(random, id),
    };
  }

  /** 55 % of the events are in the past five years, the others in the next two. */
  private when(random: Random): Body {
    const days = random.chance(0.55) ? -random.next() * 5 * 365 : random.next() * 2 * 365;
    // Between 7:00 and 23:00, because clock changes at night could move a start after its end.
    const start = Math.floor(days) * 86_400 + random.whole(14, 46) * 1800;
    return {
      start_date: this.time(start),
      end_date: this.time(start + random.pick([1800, 3600, 7200, 10_800, 86_400, 3 * 86_400])),
      timezone: random.pick(vocabulary.ZONES),
      ...(random.chance(0.1) ? { all_day: true } : {}),
    };
  }

  private publication(random: Random, id: number): Body {
    const status = random.next();
    const past = this.time(-86_400 * random.whole(1, 1500) - (id % 86_400));
    if (status < 0.92) return { status: 'publish', date_utc: past };
    if (status < 0.94) return { status: 'publish', date_utc: this.time(86_400 * random.whole(2, 300)) };
    return { status: random.pick(['draft', 'draft', 'draft', 'pending', 'private', 'trash']), date_utc: past };
  }

  private links(random: Random): Body {
    const { venues, organizers, categories, tags } = this.sizes;
    const venue = random.distinct(random.chance(0.92) ? (random.chance(0.04) ? 2 : 1) : 0, () =>
      random.popular(venues),
    );
    const organizer = random.distinct(random.whole(0, 2), () => random.popular(organizers));
    const category = random.distinct(random.whole(1, 3), () => random.popular(categories));
    const tag = random.distinct(random.whole(0, 5), () => categories + random.popular(tags));
    return { venue, organizer, categories: category, tags: tag };
  }

  private time(seconds: number): string {
    return new Date(this.day + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  }

  private randomOf(kind: string, id: number): Random {
    return new Random(Math.imul(this.seed, 1_000_003) ^ Math.imul(id, 2_654_435_761) ^ (kind.charCodeAt(0) << 20));
  }
}

/** Few different descriptions, so that sanitizing each of them once takes little time. */
const DESCRIPTIONS = 1000;

function texts(random: Random): Body {
  const excerpt = random.chance(0.5) ? [random.pick(vocabulary.SENTENCES)] : [];
  if (random.chance(1 / 7)) excerpt.push(`Part of the ${vocabulary.COMMON_WORD} of the city.`);
  if (random.chance(1 / 1000)) excerpt.push(`With a ${vocabulary.RARE_WORD} solo.`);
  return { description: description(random.whole(1, DESCRIPTIONS)), excerpt: excerpt.join(' ') };
}

function description(n: number): string {
  const random = new Random(n);
  const sentences = Array.from({ length: random.whole(6, 16) }, () => random.pick(vocabulary.SENTENCES));
  return `${sentences.slice(0, 3).join(' ')}\n\n${sentences.slice(3).join(' ')}`;
}

function extras(random: Random, id: number): Body {
  return {
    cost: random.pick(['', '', 'Free', '$12', '10€', ['$15', '$40'], '22.50', 'Donation']),
    website: random.chance(0.4) ? `https://events.example/${id}` : '',
    image: random.chance(0.3) ? image(random.whole(1, 200)) : '',
    featured: random.chance(0.05),
    sticky: random.chance(0.02),
    ticketed: random.chance(0.3),
    show_map: random.chance(0.7),
    show_map_link: random.chance(0.5),
    hide_from_listings: random.chance(0.01),
  };
}

function image(n: number): string {
  return `https://images.example/${n}.jpg`;
}

// Makes lines for `kalends import` of what another calendar of this interface answers to GET …/events: without its ids,
// which mean other records here, and with text in the place of HTML entities. Each file holds one page of the list.
//   node examples/from-another-calendar.mjs page-1.json page-2.json > events.jsonl
import { readFileSync } from 'node:fs';
import { decodeHTMLStrict } from 'entities';

const SAME = [
  ...['slug', 'status', 'date_utc', 'start_date', 'end_date', 'timezone', 'all_day', 'description', 'excerpt'],
  ...['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'],
];
const PLACE = ['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'geo_lat', 'geo_lng'];
const CONTACT = ['description', 'phone', 'email', 'website'];

for (const file of process.argv.slice(2)) {
  for (const event of JSON.parse(readFileSync(file, 'utf8')).events) process.stdout.write(`${lineOf(event)}\n`);
}

function lineOf(event) {
  return JSON.stringify({
    // What the line is known by, when it is imported again.
    external_id: event.global_id,
    title: text(event.title),
    ...picked(event, SAME),
    ...websiteOf(event),
    ...(event.cost ? { cost: text(event.cost) } : {}),
    ...(event.image ? { image: event.image.url } : {}),
    categories: (event.categories ?? []).map(({ name }) => text(name)),
    tags: (event.tags ?? []).map(({ name }) => text(name)),
    venue: [event.venue ?? []].flat().map((venue) => recordOf('venue', venue)),
    organizer: [event.organizer ?? []].flat().map((organizer) => recordOf('organizer', organizer)),
  });
}

function recordOf(name, record) {
  const { website: _, ...rest } = picked(record, [...PLACE, ...CONTACT]);
  return { [name]: text(record[name]), ...rest, ...websiteOf(record) };
}

/** The page of the record in the other calendar is none of its websites. */
function websiteOf({ url, website }) {
  return website && website !== url ? { website } : {};
}

/** Of texts that are no HTML the entities are decoded; what is absent stays absent. */
function picked(record, names) {
  const isHtml = (name) => name === 'description' || name === 'excerpt';
  const present = names.filter((name) => ![undefined, null, ''].includes(record[name]));
  return Object.fromEntries(present.map((name) => [name, isHtml(name) ? record[name] : text(record[name])]));
}

function text(value) {
  return typeof value === 'string' ? decodeHTMLStrict(value) : value;
}

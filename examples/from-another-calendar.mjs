// Converts responses of another calendar to GET …/events into lines for `kalends import`. Leaves out its ids, because they
// mean other records here, and decodes HTML entities. Each file contains one page of the list.
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
    // Identifies the line when it is imported again.
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

/** Leaves out a website that is only the page of the record in the other calendar. */
function websiteOf({ url, website }) {
  return website && website !== url ? { website } : {};
}

/** Returns the members that are present. Decodes entities in texts that are not HTML. */
function picked(record, names) {
  const isHtml = (name) => name === 'description' || name === 'excerpt';
  const present = names.filter((name) => ![undefined, null, ''].includes(record[name]));
  return Object.fromEntries(present.map((name) => [name, isHtml(name) ? record[name] : text(record[name])]));
}

function text(value) {
  return typeof value === 'string' ? decodeHTMLStrict(value) : value;
}

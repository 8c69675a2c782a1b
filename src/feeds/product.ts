import { readFileSync } from 'node:fs';
import { icalLine } from '../kernel/text/ical-line.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
/** Without the patch, so that a fix changes no byte of a feed. */
const [major, minor] = version.split('.');

/**
 * The first properties of every calendar. There is no METHOD: PUBLISH demands an organizer of each event, and a calendar
 * without METHOD is a plain snapshot (RFC 5546, 3.2.1).
 */
export const PRODUCT: readonly string[] = [
  icalLine('VERSION', '2.0'),
  icalLine('PRODID', `-//Kalends//Kalends ${major}.${minor}//EN`),
  icalLine('CALSCALE', 'GREGORIAN'),
];

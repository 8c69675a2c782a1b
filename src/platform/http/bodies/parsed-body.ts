import qs from 'qs';
import { apiError } from '../../../errors/api-error.js';
import { MAX_PARAMETERS, parseQueryString, TooManyParameters } from '../query-string.js';
import type { KalendsRequest } from '../request.js';
import { parseJson, parseJsonBody } from './json-body.js';

/** Forms of bodies that the service parses. */
type BodyForm = 'json' | 'form';

/** Returns the form of a media type, or undefined if the service does not parse it. */
export function bodyFormOf(contentType: string | undefined): BodyForm | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map(charsetOf).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return undefined;
  if (/^\s*application\/(json|[\w.+-]+\+json)\s*$/.test(type)) return 'json';
  return type.trim() === 'application/x-www-form-urlencoded' ? 'form' : undefined;
}

/** Whether a media type is JSON or a form, also with a charset that the service does not accept. */
export function isParsedType(contentType: string | undefined): boolean {
  return bodyFormOf(contentType?.split(';')[0]) !== undefined;
}

/** Returns the value of `charset = "utf-8"`, or undefined for another parameter. */
function charsetOf(parameter: string): string | undefined {
  const [name = '', ...rest] = parameter.split('=');
  return name.trim() === 'charset' ? rest.join('=').trim().replace(/^"|"$/g, '') : undefined;
}

/**
 * Parses the bytes of a body: into `bodyValues` for our routes, which take objects only, and into `body` for ordinary
 * routes, as the parsers of Express do.
 */
export function parseBody(request: KalendsRequest, form: BodyForm, bytes: Buffer): void {
  request.rawBody = bytes;
  if (request.match?.route.isOrdinary === true) request.body = bytes.length === 0 ? {} : ORDINARY[form](bytes);
  else if (bytes.length > 0) request.bodyValues = OURS[form](bytes);
}

const OURS = { json: parseJsonBody, form: (bytes: Buffer) => parseForm(bytes, parseQueryString) };
const ORDINARY = { json: parseJson, form: (bytes: Buffer) => parseForm(bytes, parseExtended, 'utf8') };

function parseForm<Values>(
  bytes: Buffer,
  parse: (text: string) => Values,
  encoding: BufferEncoding = 'latin1',
): Values {
  try {
    return parse(bytes.toString(encoding));
  } catch (error) {
    throw error instanceof TooManyParameters || error instanceof RangeError ? apiError('rest_body_too_large') : error;
  }
}

/** Parses a form like Nest's parser: `seats[0][row]=A` gives nested objects. */
function parseExtended(text: string): object {
  return qs.parse(text, { depth: 5, arrayLimit: 100, parameterLimit: MAX_PARAMETERS, throwOnLimitExceeded: true });
}

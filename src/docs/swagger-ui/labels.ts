import { catalogues } from '../../platform/translations/catalogues.js';

/**
 * The English labels of Swagger UI, as the page shows them; `{}` is a placeholder. Without names of the interface and
 * OpenAPI keywords, because these are not translated.
 */
export const SWAGGER_UI_LABELS = [
  'Authorize',
  'Authorized',
  'Available authorizations',
  'Close',
  'Logout',
  'Password:',
  'Username:',
  'Value:',
  'Servers',
  'Schemas',
  'Parameters',
  'No parameters',
  'Name',
  'Description',
  'Default value',
  'Available values',
  'Example',
  'Add {} item',
  'Send empty value',
  'Try it out',
  'Cancel',
  'Reset',
  'Execute',
  'Clear',
  'Request body',
  'Edit Value',
  'Example Value',
  'Schema',
  'Examples',
  'Examples:',
  'Example Description',
  '[Modified value]',
  'Responses',
  'Code',
  'Details',
  'Links',
  'No links',
  'Media type',
  'Controls',
  'header.',
  'Headers:',
  'Type',
  'Curl',
  'Request URL',
  'Request duration',
  'Server response',
  'Response body',
  'Response headers',
  'Undocumented',
  'Download',
  'Download file',
  'Error: {}',
  'response status is {}',
  'Errors',
  'Hide',
  'No operations defined in spec!',
  'Failed to load API definition.',
  'Please correct the following validation errors and try again.',
  "For '{}': {}.",
  'Required field is not provided',
  'Value must be a number',
  'Value must be an integer',
  'Value must be a boolean',
  'Value must be no longer than {} characters',
  'Value must be at least {} characters',
  'Parameter string value must be valid JSON',
  'Expand operation',
  'Collapse operation',
  'Copy path to clipboard',
  'Copy code to clipboard',
  'Copy cURL command to clipboard',
  'authorization button locked',
  'authorization button unlocked',
  'Apply credentials',
  'Remove authorization',
  'auth-bearer-value',
  'auth-basic-username',
  'auth-basic-password',
  'Media Type',
  'Request content type',
] as const;

/** Our own texts on the page. `{}` is a placeholder. */
export const OUR_LABELS = [
  'Kalends: the interface',
  'This page needs JavaScript. Programs get the OpenAPI document from the same address.',
  'Language',
  'Download the OpenAPI document',
  'Find operations, such as: slug',
  'Default: {}',
  'Example: {}',
  'Errors: {}',
  // The headings of the page. In the document they are names of tags.
  'Service',
  'Events',
  'Venues',
  'Organizers',
  'Categories',
  'Tags',
  'Changes',
  'Webhooks',
  'Describes itself: its routes, and this document.',
  'What takes place, and when.',
  'Where events take place.',
  'Who holds events.',
  'Terms that sort events, in a tree.',
  'Keywords of events, without an order.',
  'What has changed, for programs that keep a copy.',
  'Addresses to which signed messages about changes are sent.',
] as const;

export const LABELS = [...SWAGGER_UI_LABELS, ...OUR_LABELS];
type Label = (typeof LABELS)[number];

/** A text for every label. */
type Labels = Readonly<Record<Label, string>>;

/** Better English than that of Swagger UI. */
const ENGLISH: Partial<Labels> = {
  'Available authorizations': 'Two ways to authorize',
  'Value:': 'Token:',
  'Username:': 'Login:',
  'Password:': 'Token:',
  'auth-bearer-value': 'Token',
  'auth-basic-username': 'Login',
  'auth-basic-password': 'Token as password',
  'No operations defined in spec!': 'No operation matches.',
};

const labelsOf = catalogues<Labels>(new URL('labels.', import.meta.url));

/** Returns the labels of the page that differ from those in its source. */
export function labelsIn(language: string): Partial<Labels> {
  return labelsOf(language) ?? ENGLISH;
}

/** Returns one of our own texts. */
export function labelIn(language: string, label: (typeof OUR_LABELS)[number]): string {
  return labelsIn(language)[label] ?? label;
}

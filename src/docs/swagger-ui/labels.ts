import { readFileSync } from 'node:fs';

/**
 * What Swagger UI writes in English, as it stands on the page; `{}` stands for what changes. Names of the interface and
 * keywords of OpenAPI are the same in every language, and are not here.
 */
export const LABELS = [
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
  'Add',
  'item',
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
  // The headings of the page: in the document these are names.
  'Service',
  'Events',
  'Venues',
  'Organizers',
  'Categories',
  'Tags',
] as const;

/** A text for every label. */
type Labels = Readonly<Record<(typeof LABELS)[number], string>>;

const LANGUAGES: Readonly<Record<string, Labels>> = { de: read('de'), fr: read('fr') };

/** The labels of Swagger UI in a language; empty: they stay in English. */
export function labelsIn(language: string): Partial<Labels> {
  return LANGUAGES[language] ?? {};
}

/** By `readFileSync`, since importing JSON warns on Node 20. */
function read(language: string): Labels {
  return JSON.parse(readFileSync(new URL(`labels.${language}.json`, import.meta.url), 'utf8')) as Labels;
}

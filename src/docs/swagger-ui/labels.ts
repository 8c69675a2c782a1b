import { readFileSync } from 'node:fs';

/**
 * The English labels of Swagger UI, as the page shows them; `{}` is a placeholder. Without names of the interface and
 * OpenAPI keywords, because these are not translated.
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
  // The headings of the page. In the document they are names of tags.
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

/** Returns the translated labels of Swagger UI; empty for English. */
export function labelsIn(language: string): Partial<Labels> {
  return LANGUAGES[language] ?? {};
}

/** Uses `readFileSync`, because importing JSON causes a warning on Node 20. */
function read(language: string): Labels {
  return JSON.parse(readFileSync(new URL(`labels.${language}.json`, import.meta.url), 'utf8')) as Labels;
}

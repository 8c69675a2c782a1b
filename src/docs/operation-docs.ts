import { isWrite, type Operation } from '../platform/http/operation.js';
import { withKeys } from '../platform/translations/translation.js';
import { successDocs } from './response-docs.js';
import type { PendingOperation } from '../platform/http/api-decorators.js';
import { swagger } from './libraries.js';
import { errorDocs } from './error-docs.js';
import { bodyDocs, parameterDocs } from './parameter-docs.js';

/** The descriptions of operations that have none of their own, as Markdown. */
const DESCRIPTIONS: Record<Operation['kind'], string> = {
  list:
    'Returns a page of the records that match every parameter. `next_rest_url` leads to the next page. ' +
    'Without a token only public records are listed.',
  read: 'Returns one record. A record that is not public needs the token of a user who may read it.',
  create: 'Creates a record. Members of the body that are no fields are ignored; `X-Kalends-Ignored` names them.',
  update:
    'Changes only the fields that are sent. POST, PUT and PATCH do the same. ' +
    'With `If-Match` nothing is written if the record has changed since it was read.',
  delete:
    'Moves the record to the trash, from which any other `status` brings it back. ' +
    '`force=true` deletes it permanently.',
  describe: 'Describes the service.',
  act: 'Does something with one record.',
};
for (const [kind, text] of Object.entries(DESCRIPTIONS)) withKeys('requests', `about.${kind}`, text);

/** Applies the OpenAPI decorators of an operation. */
export function documentOperation([operation, path, target]: PendingOperation): void {
  for (const apply of operationDocs(operation, path)) apply(...target);
}

function operationDocs(operation: Operation, path: string): MethodDecorator[] {
  return [
    swagger().ApiOperation({
      operationId: operation.id,
      summary: operation.summary,
      description: operation.description ?? DESCRIPTIONS[operation.kind],
      ...(operation.callbacks === undefined ? {} : { callbacks: operation.callbacks }),
    }),
    ...parameterDocs(operation, path),
    ...bodyDocs(operation),
    ...successDocs(operation),
    ...errorDocs(operation),
    ...securityDocs(operation),
  ];
}

/** Writes need credentials; reads may have them. */
function securityDocs(operation: Operation): MethodDecorator[] {
  return [
    ...(isWrite(operation) ? [] : [swagger().ApiSecurity({})]),
    swagger().ApiSecurity('bearer'),
    swagger().ApiSecurity('basic'),
  ];
}

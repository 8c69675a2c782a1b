import { ApiOperation, ApiSecurity } from '@nestjs/swagger';
import { isWrite, type Operation } from '../platform/http/operation.js';
import { successDocs } from './response-docs.js';
import type { PendingOperation } from '../platform/http/api-decorators.js';
import { errorDocs } from './error-docs.js';
import { bodyDocs, parameterDocs } from './parameter-docs.js';

/** Applies the OpenAPI decorators of an operation. */
export function documentOperation([operation, path, target]: PendingOperation): void {
  for (const apply of operationDocs(operation, path)) apply(...target);
}

function operationDocs(operation: Operation, path: string): MethodDecorator[] {
  return [
    ApiOperation({ operationId: operation.id, summary: operation.summary }),
    ...parameterDocs(operation, path),
    ...bodyDocs(operation),
    ...successDocs(operation),
    ...errorDocs(operation),
    ...securityDocs(operation),
  ];
}

/** Writes need credentials; reads may have them. */
function securityDocs(operation: Operation): MethodDecorator[] {
  return [...(isWrite(operation) ? [] : [ApiSecurity({})]), ApiSecurity('bearer'), ApiSecurity('basic')];
}

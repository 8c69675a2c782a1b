import { ApiSecurity } from '@nestjs/swagger';
import { isWrite, type Operation } from '../http/operation.js';
import { successDocs } from './answer-docs.js';
import { errorDocs } from './error-docs.js';
import { bodyDocs, parameterDocs } from './parameter-docs.js';

/** The OpenAPI decorators of an operation, all made of what routing and checks go by. */
export function documentOperation(operation: Operation, path: string): MethodDecorator[] {
  return [
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

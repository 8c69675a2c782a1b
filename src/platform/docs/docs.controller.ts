import type { Answer } from '../http/answer.js';
import { Context } from '../http/context.decorator.js';
import { Describes } from '../http/operations.js';
import type { RequestContext } from '../http/request-context.js';
import { ResourceController } from '../http/resource-controller.js';
import type { Root } from '../http/root.js';
import { RequestRoot } from '../http/root.decorator.js';
import { ApiDocuments } from './api-documents.js';
import { DocumentResponse } from './document.response.js';

@ResourceController('', 'Service')
export class DocsController {
  constructor(private readonly documents: ApiDocuments) {}

  @Describes('doc', {
    id: 'getDocumentation',
    summary: 'Describe the service as an OpenAPI document',
    answers: DocumentResponse,
  })
  read(@RequestRoot() root: Root, @Context() context: RequestContext): Answer {
    return { body: this.documents.of(root, context), headers: { Vary: 'Accept, Accept-Language' } };
  }
}

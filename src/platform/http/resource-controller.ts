import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '../docs/api-decorators.js';
import { NAMESPACE } from './mounts.js';

/** A controller under every mount: `@ResourceController('venues', 'Venues')`. */
export function ResourceController(path: string, tag: string): ClassDecorator {
  return applyDecorators(Controller(path === '' ? NAMESPACE : `${NAMESPACE}/${path}`), ApiTags(tag));
}

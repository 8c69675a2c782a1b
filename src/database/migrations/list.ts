import { InitialSchema1795132800000 } from './1795132800000-initial-schema.js';
import { IdempotencyKeys1795176000000 } from './1795176000000-idempotency-keys.js';

/** All migrations, oldest first; none is edited after its release. */
export const migrations = [InitialSchema1795132800000, IdempotencyKeys1795176000000];

import { InitialSchema1795132800000 } from './1795132800000-initial-schema.js';
import { IdempotencyKeys1795176000000 } from './1795176000000-idempotency-keys.js';
import { ImportedRecords1795190000000 } from './1795190000000-imported-records.js';

/** All migrations, oldest first; none is edited after its release. */
export const migrations = [InitialSchema1795132800000, IdempotencyKeys1795176000000, ImportedRecords1795190000000];

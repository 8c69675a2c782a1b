import { InitialSchema1795132800000 } from './1795132800000-initial-schema.js';

/** All migrations, oldest first; none is edited after its release. */
export const migrations = [InitialSchema1795132800000];

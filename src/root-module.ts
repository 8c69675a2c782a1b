import { Global, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { FURTHER_MIGRATIONS, type Migrations } from './database/further-migrations.js';

export type Imports = NonNullable<ModuleMetadata['imports']>;

/**
 * Returns the module that imports all others, and provides the migrations of other teams. Not a dynamic module, whose
 * imports Nest scans before those of AppModule: global filters of modules would come after ours.
 */
export function rootOf(imports: Imports, migrations: Migrations): Type {
  class RootModule {}
  const provider = { provide: FURTHER_MIGRATIONS, useValue: migrations };
  Global()(RootModule);
  Module({ imports, providers: [provider], exports: [provider] })(RootModule);
  return RootModule;
}

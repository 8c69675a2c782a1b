import 'reflect-metadata';
import type { INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ConnectionUse, Connector, openingError } from '../database/connector.js';
import { FIRST_LOGIN, FirstAdmin } from '../platform/auth/first-admin.js';

/** `administering`: writing, on a database that has an administrator. `changing`: writing, on an existing database. */
export type DatabaseUse = 'reading' | 'changing' | 'writing' | 'administering';

const CONNECTION_USES: Readonly<Record<DatabaseUse, ConnectionUse>> = {
  reading: 'reading',
  changing: 'changes',
  writing: 'commands',
  administering: 'commands',
};

/** Returns the application with its database. Modules are initialized, because they may take part in writes. */
export async function openApp(root: Type, use: DatabaseUse): Promise<INestApplication> {
  const app = await NestFactory.create(root, { logger: false, abortOnError: false });
  try {
    await app.get(Connector).connect(CONNECTION_USES[use]);
  } catch (error) {
    await app.close();
    throw openingError(error);
  }
  await app.init();
  if (use === 'administering') await createAdministrator(app);
  return app;
}

async function createAdministrator(app: INestApplication): Promise<void> {
  const file = await app.get(FirstAdmin).create();
  if (file !== undefined) process.stderr.write(`Created the administrator ${FIRST_LOGIN}. Its token is in ${file}\n`);
}

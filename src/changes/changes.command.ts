import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ALL_CHANGED } from '../database/connection/transaction.js';
import { Database } from '../database/database.js';
import { TABLES } from '../database/sql/tables.js';

/**
 * `kalends changes reset`: makes all tokens of `/changes` expire, after a server's database was restored by its own tools.
 * Programs then read everything again.
 */
@Injectable()
export class ChangesResetCommand {
  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await this.database.inTransaction(async (tx) => {
      await tx.execute(`UPDATE ${TABLES.dataVersion} SET epoch = ? WHERE id = 1`, [randomBytes(4).toString('hex')]);
      // Empties the caches of all instances, too.
      tx.recordChange(ALL_CHANGED, 0, 0);
    });
    process.stdout.write('All tokens of /changes have expired: programs with a copy read everything again.\n');
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { EventsService } from '../events/events.service.js';
import { OperatorContext } from '../platform/auth/operator-context.js';
import { Clock } from '../platform/clock.js';
import { momentBefore } from './age.js';
import { countRows, oldChanges, oldIdempotencyKeys, type OldRows, removeRows } from './old-rows.js';
import { OldTrash } from './old-trash.js';

/** The options of the command; ages such as `30d`. */
export interface PurgeOptions {
  /** Absent: the trash stays. */
  readonly trashOlderThan?: string;
  readonly changesOlderThan: string;
  readonly dryRun: boolean;
}

/** Keys count for nothing from their end on; an hour more spares us the clocks of other instances. */
const KEYS_OLDER_THAN = '1h';

/** `kalends purge`: removes for good what nobody needs any more, and tells how much. */
@Injectable()
export class PurgeCommand {
  constructor(
    private readonly database: Database,
    private readonly trash: OldTrash,
    private readonly events: EventsService,
    private readonly operator: OperatorContext,
    private readonly clock: Clock,
  ) {}

  async run({ trashOlderThan, changesOlderThan, dryRun }: PurgeOptions): Promise<void> {
    const nowUtc = this.clock.now();
    const before = (age: string, option: string) => momentBefore(nowUtc, age, option);
    // All ages are read before anything is removed.
    const changes = oldChanges(before(changesOlderThan, '--changes-older-than'));
    const trashBefore = trashOlderThan === undefined ? undefined : before(trashOlderThan, '--trash-older-than');
    const rows = (old: OldRows) => (dryRun ? countRows(this.database, old) : removeRows(this.database, old));
    const say = (count: number, what: string) =>
      process.stdout.write(`${count} ${what} ${dryRun ? 'would be removed' : 'removed'}\n`);
    if (trashBefore !== undefined) {
      const context = await this.operator.read();
      for (const kind of ['events', 'venues', 'organizers'] as const) {
        const count = await (dryRun
          ? this.trash.count(kind, trashBefore)
          : this.trash.remove(kind, trashBefore, context));
        say(count, `${kind} in the trash`);
      }
    }
    say(await rows(oldIdempotencyKeys(before(KEYS_OLDER_THAN, ''))), 'expired idempotency keys');
    // What the search index does not know yet stays.
    if (!dryRun) await this.events.indexTexts();
    say(await rows(changes), 'rows of the change record');
  }
}

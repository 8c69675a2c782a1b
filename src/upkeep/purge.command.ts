import { Injectable } from '@nestjs/common';
import { Clock } from '../config/clock.js';
import { Database } from '../database/database.js';
import { OperatorError } from '../errors/operator-error.js';
import { EventUpkeepService } from '../events/event.upkeep.service.js';
import { addSeconds } from '../kernel/time/calendar-arithmetic.js';
import { counted } from '../kernel/text/counted.js';
import type { UtcTime } from '../kernel/time/calendar-time.js';
import { CommandContext } from '../platform/http/command-context.js';
import {
  countRows,
  excessMessages,
  expireTokens,
  noteMissedChanges,
  oldChanges,
  oldIdempotencyKeys,
  oldMessages,
  type ExpiredRows,
  removeRows,
  webhookIds,
} from './expired-rows.js';
import { ExpiredTrash } from './expired-trash.js';

/** The options of the command. Ages are days or hours, such as `30d` or `12h`. */
export interface PurgeOptions {
  /** undefined: does not delete records in the trash. */
  readonly trashOlderThan?: string;
  readonly changesOlderThan: string;
  readonly dryRun?: boolean;
}

/** The records that have a trash, with their noun for one. */
const TRASHED = [
  ['events', 'event'],
  ['venues', 'venue'],
  ['organizers', 'organizer'],
] as const;

/** Keys have no effect after they expire. The extra hour allows for clock differences between instances. */
const KEYS_OLDER_THAN = '1h';

/** `kalends purge`: permanently deletes expired data and old trash, and prints how much. */
@Injectable()
export class PurgeCommand {
  constructor(
    private readonly database: Database,
    private readonly trash: ExpiredTrash,
    private readonly events: EventUpkeepService,
    private readonly operator: CommandContext,
    private readonly clock: Clock,
  ) {}

  async run({ trashOlderThan, changesOlderThan, dryRun }: PurgeOptions): Promise<void> {
    const nowUtc = this.clock.now();
    const before = (age: string, option: string) => timeBefore(nowUtc, age, option);
    // Parses all ages before deleting anything.
    const changesBefore = before(changesOlderThan, '--changes-older-than');
    const trashBefore = trashOlderThan === undefined ? undefined : before(trashOlderThan, '--trash-older-than');
    const rows = (old: ExpiredRows) => (dryRun ? countRows(this.database, old) : removeRows(this.database, old));
    const say = (count: number, noun: string, plural: string, rest = '') =>
      process.stdout.write(`${counted(count, noun, plural)}${rest} ${dryRun ? 'would be removed' : 'removed'}\n`);
    if (trashBefore !== undefined) {
      const context = await this.operator.read();
      for (const [kind, noun] of TRASHED) {
        const count = await (dryRun
          ? this.trash.count(kind, trashBefore)
          : this.trash.remove(kind, trashBefore, context));
        say(count, noun, kind, ' in the trash');
      }
    }
    say(
      await rows(oldIdempotencyKeys(before(KEYS_OLDER_THAN, ''))),
      'expired idempotency key',
      'expired idempotency keys',
    );
    let messages = await rows(oldMessages(nowUtc));
    for (const id of await webhookIds(this.database)) messages += await rows(excessMessages(id));
    say(messages, 'message', 'messages', ' of webhooks');
    // Updates the search index first, because changes that it has not processed cannot be deleted.
    if (!dryRun) {
      await this.events.indexTexts();
      await expireTokens(this.database, changesBefore);
    }
    say(await rows(oldChanges(changesBefore, nowUtc)), 'row', 'rows', ' of the change record');
    if (!dryRun) await noteMissedChanges(this.database, changesBefore);
  }
}

const SECONDS = { d: 86_400, h: 3_600 } as const;

/** Returns the time an age such as `30d` or `12h` ago. Throws an error that names `option` if the age is invalid. */
export function timeBefore(nowUtc: UtcTime, age: string, option: string): UtcTime {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(age) ?? [];
  if (count === undefined) throw new OperatorError(`${option}: "${age}" is not an age such as 30d or 12h.`);
  return addSeconds(nowUtc, -Number(count) * SECONDS[unit as keyof typeof SECONDS]);
}

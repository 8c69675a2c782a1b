import { Injectable } from '@nestjs/common';
import { OperatorError } from '../errors/operator-error.js';
import { EventUpkeepService } from '../events/event.upkeep.service.js';

/** The options of the command. */
export interface CheckOptions {
  /** How long to follow the change record before comparing, in whole seconds. */
  readonly during: string;
}

const MAX_LINES = 20;

/** `kalends check`: compares the index of events, as a server would have it, with the database. */
@Injectable()
export class CheckCommand {
  constructor(private readonly events: EventUpkeepService) {}

  /** Prints the differences and returns their number. */
  async run({ during }: CheckOptions): Promise<number> {
    if (!/^\d{1,6}$/.test(during)) throw new OperatorError(`--during: "${during}" is not a number of seconds.`);
    const differences = await this.events.checkIndex(Number(during) * 1000);
    for (const line of differences.slice(0, MAX_LINES)) say(line);
    if (differences.length > MAX_LINES) say(`and ${differences.length - MAX_LINES} more`);
    say(`Differences between the index of events and the database: ${differences.length}`);
    return differences.length;
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

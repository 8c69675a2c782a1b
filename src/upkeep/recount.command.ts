import { Injectable } from '@nestjs/common';
import { EventUpkeepService } from '../events/event.upkeep.service.js';

/** The options of the command. */
export interface RecountOptions {
  /** Reports wrong counts without correcting them. */
  readonly check?: boolean;
}

/** `kalends recount`: recounts events and prints which stored counts were wrong. */
@Injectable()
export class RecountCommand {
  constructor(private readonly events: EventUpkeepService) {}

  /** Returns the number of wrong counts with `check`, else 0. */
  async run({ check }: RecountOptions): Promise<number> {
    const wrong = await (check ? this.events.wrongCounts() : this.events.recount());
    const total = wrong.reduce((sum, table) => sum + table.total, 0);
    for (const { table, total: inTable, examples } of wrong) {
      for (const { key, kept, counted } of examples) say(`${table}: ${key}: ${kept} kept, ${counted} counted`);
      if (inTable > examples.length) say(`${table}: and ${inTable - examples.length} more`);
    }
    say(check ? `Counts that would change: ${total}` : `All events are counted. Counts changed: ${total}`);
    return check ? total : 0;
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

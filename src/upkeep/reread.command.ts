import { Injectable } from '@nestjs/common';
import { EventUpkeepService } from '../events/event.upkeep.service.js';

/** `kalends reread`: makes servers read everything anew, after rows were changed by SQL. */
@Injectable()
export class RereadCommand {
  constructor(private readonly events: EventUpkeepService) {}

  async run(): Promise<void> {
    await this.events.reread();
    process.stdout.write('Servers read everything anew with their next request.\n');
  }
}

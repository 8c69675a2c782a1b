import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { byName } from '../event.link-kinds.js';
import type { EventFacts } from './event-facts.js';
import type { EventIndex } from './event-index.js';
import { allFacts, findFacts, findTermFacts } from './facts-query.js';
import { FollowedEvents } from './followed-events.js';
import { faultsOf } from './index-faults.js';

/** Events that are written meanwhile are compared again, so often. */
const MAX_ATTEMPTS = 5;
const PAUSE_MS = 50;

/** Compares the index of this process, which follows the change record, with the database. */
@Injectable()
export class IndexCheck {
  constructor(
    private readonly database: Database,
    private readonly events: FollowedEvents,
  ) {}

  /** Loads the index and follows the change record for some time, as a server does. */
  async follow(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    do {
      await this.ask(() => undefined);
      await sleep(Math.max(0, Math.min(PAUSE_MS, end - performance.now())));
    } while (performance.now() < end);
  }

  /** Returns one line for each difference between index and database, and for each fault of a list. */
  async differences(): Promise<string[]> {
    const wrong: number[] = [];
    const seen = new Set<number>();
    for await (const facts of allFacts(this.database.scans, 0)) {
      for (const { id } of facts) seen.add(id);
      wrong.push(...(await this.differing(facts)));
    }
    wrong.push(...((await this.ask((index) => index.ids().filter((id) => !seen.has(id)))) ?? []));
    const faults = [...(await this.wrongTerms()), ...((await this.ask(faultsOf)) ?? [])];
    return [
      ...(await this.confirmed(wrong)).map((id) => `event ${id}: the index differs from the database`),
      ...faults,
    ];
  }

  /** Returns one line for each term whose parent differs. Terms may change between the two reads. */
  private async wrongTerms(): Promise<string[]> {
    for (let attempt = 1; ; attempt += 1) {
      const state = await this.database.currentState();
      const stored = new Map(
        (await findTermFacts(this.database, undefined, state.version)).map((term) => [term.id, term.parent]),
      );
      const known = (await this.events.read((index) => new Map(index.keys.terms.all()), state)) ?? stored;
      const wrong = [...new Set([...stored.keys(), ...known.keys()])].filter((id) => stored.get(id) !== known.get(id));
      if (wrong.length > 0 && attempt < MAX_ATTEMPTS) continue;
      return wrong.map(
        (id) => `term ${id}: parent ${known.get(id) ?? 0} in the index, ${stored.get(id) ?? 0} in the database`,
      );
    }
  }

  /** Returns the ids that still differ when they are read again. Events may change between the two reads. */
  private async confirmed(ids: readonly number[]): Promise<readonly number[]> {
    let wrong = ids;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && wrong.length > 0; attempt += 1) {
      const state = await this.database.currentState();
      const facts = new Map((await findFacts(this.database, wrong, state.version)).map((one) => [one.id, one]));
      const differ = (index: EventIndex) => wrong.filter((id) => !isSame(index.factsOf(id), facts.get(id)));
      wrong = (await this.events.read(differ, state)) ?? [];
    }
    return wrong;
  }

  /** Fails if the database does not tell its state, because nothing would be compared. */
  private async ask<Result>(question: (index: EventIndex) => Result): Promise<Result | undefined> {
    return this.events.read(question, await this.database.currentState());
  }

  private async differing(facts: readonly EventFacts[]): Promise<number[]> {
    const differ = (index: EventIndex) =>
      facts.filter((one) => !isSame(index.factsOf(one.id), one)).map(({ id }) => id);
    return (await this.ask(differ)) ?? [];
  }
}

function isSame(one: EventFacts | undefined, other: EventFacts | undefined): boolean {
  return isDeepStrictEqual(inOrder(one), inOrder(other));
}

/** Returns facts with linked ids in ascending order, in which the index does not keep them otherwise. */
function inOrder(facts: EventFacts | undefined): object | undefined {
  const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
  return (
    facts && {
      ...facts,
      linkedIds: byName((name) => sorted(facts.linkedIds[name])),
      termIds: sorted(facts.termIds),
    }
  );
}

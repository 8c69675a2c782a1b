import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';

/** Carries out a write and answers in one transaction, which also keeps the answer if a repetition could ask for it. */
export function answerWrite(
  database: Database,
  context: RequestContext,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  return database.inTransaction(async (tx) => {
    const answer = naming(context.ignored, await work(tx));
    await context.keepAnswer?.(tx, answer);
    return answer;
  });
}

/** contract 2.1: what was lost on the way is told, in a repetition as well. */
function naming(ignored: string | undefined, answer: Answer): Answer {
  return ignored === undefined ? answer : { ...answer, headers: { ...answer.headers, 'X-Kalends-Ignored': ignored } };
}

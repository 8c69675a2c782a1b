import { OperatorError } from '../errors/operator-error.js';

/** The address is not one of this machine, or its name is unknown. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL']);

/** Says which setting asks for what cannot be had: a port that is taken or not allowed, an address that is not here. */
export async function explainListenError<Result>(setting: string, listening: Promise<Result>): Promise<Result> {
  try {
    return await listening;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (code === 'EADDRINUSE')
      throw new OperatorError(`${setting}: another process listens there already (${message})`);
    if (code === 'EACCES') throw new OperatorError(`${setting}: the process may not listen there (${message})`);
    if (NO_SUCH_ADDRESS.has(code)) throw new OperatorError(`HOST: the server cannot listen there (${message})`);
    throw error;
  }
}

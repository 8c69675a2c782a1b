import cluster, { type Worker } from 'node:cluster';
import type { Ask, Figures, Told } from '../server/worker-messages.js';

/** A worker that is too busy to answer must not keep the figures of the others, in milliseconds. */
const PATIENCE = 2_000;

let asked = 0;

/** The figures of all workers that answer. */
export async function workerFigures(): Promise<Figures[]> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  return (await Promise.all(workers.map(figuresOf))).filter((figures) => figures !== undefined);
}

function figuresOf(worker: Worker): Promise<Figures | undefined> {
  const id = (asked += 1);
  return new Promise((done) => {
    const end = (figures?: Figures) => {
      clearTimeout(timer);
      worker.off('message', onTold).off('exit', onExit);
      done(figures);
    };
    const onTold = (message: Told) => {
      if (message.told === 'figures' && message.id === id) end(message.figures);
    };
    const onExit = () => end();
    const timer = setTimeout(end, PATIENCE);
    worker.on('message', onTold).once('exit', onExit);
    const ask: Ask = { ask: 'figures', id };
    worker.send(ask, (error) => error && end());
  });
}

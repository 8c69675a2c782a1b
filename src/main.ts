import { runService } from './process/program.js';

await runService();

import { commandLine } from 'kalends';
import { ROOMS } from './extension.js';

await commandLine(ROOMS).parseAsync();

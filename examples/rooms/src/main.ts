import { serve } from 'kalends';
import { ROOMS } from './extension.js';

await serve(ROOMS);

#!/usr/bin/env node
import 'reflect-metadata';
import { commandLine } from './process/commands.js';

// TypeORM converts times with the time zone of the process.
process.env.TZ = 'UTC';

await commandLine().parseAsync();

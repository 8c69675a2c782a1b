import { closePooled } from './app.js';

// The services that the tests of a file have shared end with it.
afterAll(() => closePooled());

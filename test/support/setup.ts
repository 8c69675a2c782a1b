import { closePooled } from './app.js';

// The tests of a file share services, which are closed after the last test.
afterAll(() => closePooled());

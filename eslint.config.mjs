// For editors, which look here. `npm run lint` installs the packages that it imports.
export { default } from './tools/eslint.config.mjs';

/** Who may import whom. Layers: kernel <- database, platform <- posts, terms <- linked-posts <- resources <- events <- outer modules. */
const SHARED = 'kernel|database|platform|posts|linked-posts|terms';
const OUTER = '^src/(namespace|feeds|webhooks|transfer|upkeep)/';
// Every other folder is a resource, those that extensions add, too.
const RESOURCE = `^src/(?!(?:${SHARED}|namespace|feeds|webhooks|transfer|upkeep)/)([^/]+)/`;
const LEAF = `^src/(?!(?:${SHARED}|namespace|feeds|webhooks|transfer|upkeep|events)/)([^/]+)/`;
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule('no-unresolved', {}, { couldNotResolve: true }),
    rule('no-orphans', { orphan: true, pathNot: '\\.(d|spec)\\.ts$|^src/(main|cli)\\.ts$|\\.browser\\.js$' }, {}),
    rule(
      'kernel-is-pure',
      { path: '^src/kernel/', pathNot: '\\.spec\\.ts$' },
      { pathNot: '^src/kernel/|node_modules/(sanitize-html|entities|@js-temporal/polyfill|moment-timezone)/' },
      'plain functions on plain values',
    ),
    rule(
      'database-knows-no-resource',
      { path: '^src/database/' },
      { path: '^src/', pathNot: '^src/(database|kernel|platform/config)/|^src/platform/(clock|operator-error)' },
    ),
    rule(
      'platform-knows-no-resource',
      { path: '^src/platform/' },
      { path: '^src/', pathNot: '^src/(platform|database|kernel)/' },
    ),
    rule('shapes-know-no-resource', { path: '^src/(posts|linked-posts|terms)/' }, { path: `${RESOURCE}|${OUTER}` }),
    rule(
      'posts-and-terms-stand-alone',
      { path: '^src/(posts|terms)/' },
      { path: '^src/(linked-posts|terms|posts)/', pathNot: '^src/$1/' },
    ),
    rule('linked-posts-know-no-terms', { path: '^src/(linked-posts|venues|organizers)/' }, { path: '^src/terms/' }),
    rule('terms-know-no-posts', { path: '^src/(categories|tags)/' }, { path: '^src/(posts|linked-posts)/' }),
    rule(
      'leaves-are-strangers',
      { path: LEAF },
      { path: `${RESOURCE}|${OUTER}`, pathNot: '^src/$1/' },
      'only events knows its neighbours',
    ),
    rule(
      'events-uses-public-files',
      { path: '^src/events/' },
      { path: LEAF, pathNot: '\\.(service|module|presenter|response|dto|kind)\\.ts$' },
    ),
    rule(
      'outer-uses-public-files',
      { path: OUTER },
      { path: RESOURCE, pathNot: '\\.(service|module|response|dto)\\.ts$' },
    ),
    rule(
      'controllers-hold-no-sql',
      { path: '\\.controller\\.ts$' },
      { path: '\\.(store|query|entity)\\.ts$|^src/(?!platform/).*\\.filter\\.ts$|node_modules/typeorm/' },
    ),
    rule(
      'presenters-are-pure',
      { path: '^src/(?!platform/).*\\.(presenter|rules|filter)\\.ts$' },
      { path: 'node_modules/(@nestjs|typeorm|express)/' },
    ),
    rule(
      'documents-are-loaded-late',
      { pathNot: '^src/platform/docs/(openapi|(operation|answer|error|parameter)-docs)\\.ts$' },
      {
        path: '^src/platform/docs/(openapi|operation-docs)\\.ts$|node_modules/@nestjs/swagger/',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
      'api-decorators.ts says why',
    ),
    rule('no-tests-in-code', { path: '^src/', pathNot: '\\.spec\\.ts$' }, { path: '\\.spec\\.ts$|^test/' }),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};

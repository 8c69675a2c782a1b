/**
 * Who may import whom. Rooms stand on floors: a room imports rooms of lower floors, and of a room with rooms inside only
 * its door. Read from the ground up; docs/architecture.md draws the same.
 */
const FLOORS = [
  ['kernel'],
  ['errors'],
  ['config'],
  ['database'],
  ['platform/observability'],
  ['platform/limits'],
  ['platform/auth'],
  ['platform/server'],
  ['platform/translations'],
  ['platform/http'],
  ['platform/outbound'],
  ['platform/images'],
  ['posts'],
  ['terms'],
  ['linked-posts'],
  ['RESOURCES'],
  ['events'],
  ['namespace', 'docs', 'feeds', 'changes', 'webhooks', 'pages', 'transfer', 'upkeep'],
];
/** The rooms inside a room, lowest first. `own`: its files that its inner rooms must not import. */
const INNER = {
  kernel: { rooms: ['time', 'text'], own: '.' },
  database: { rooms: ['sql', 'migrations', 'connection', 'repositories', 'cache'], own: '.' },
  'platform/http': {
    rooms: ['bodies', 'responses', 'fields', 'idempotency', 'routing', 'pipeline'],
    own: 'http\\.module\\.ts$',
  },
  events: {
    // Writes decide by SQL in their transaction, never by the index.
    rooms: ['hooks', 'filter', 'search', 'write', 'index'],
    own: '(events\\.|event\\.(list|reader|presenter|json-ld)\\.)',
  },
  docs: { rooms: ['swagger-ui'], own: '.' },
  webhooks: { rooms: ['dispatch'], own: '(webhooks\\.|webhook\\.(dto|response|presenter)\\.)' },
  transfer: { rooms: ['lines', 'keys', '(csv|ical|tec)', 'batch'], own: '.' },
};
/** What of a room's inner rooms others may import; a room that is not named here shows all its files. */
const DOORS = {
  'database/(connection|cache|migrations|repositories)':
    'database/(connection/(transaction|participant|deadline|turns|unavailable|semaphore)|cache/(read-cache|record-cache|recent-changes|change-token|change-types|follower|read-at-version))\\.ts$',
  'platform/http/(responses|idempotency|routing|pipeline)':
    'platform/http/(responses/(record-reply|collection-reply|shown-reply|json-text|send|content|error-page)|routing/(route-decorators|route-table|route-descriptions|site-paths)|pipeline/(stage|pipeline|pipeline\\.adapter)|idempotency/idempotency\\.module)\\.ts$',
  'events/(filter|search|index|write)': '$^',
  'docs/swagger-ui': '$^',
  'webhooks/dispatch': 'webhooks/dispatch/(dispatch\\.module|dispatcher)\\.ts$',
  'transfer/(lines|keys|csv|ical|tec|batch)': '$^',
};
const NAMED = FLOORS.flat().filter((room) => room !== 'RESOURCES');
// Every other folder is a resource, those that extensions add, too; `process` and the files of src/ put all together.
const TOP = [...new Set(NAMED.map((room) => room.split('/')[0])), 'process'].join('|');
const RESOURCES = `(?!(?:${TOP})/)[^/]+`;
const folders = (rooms) => `^src/(?:${rooms.map((room) => (room === 'RESOURCES' ? RESOURCES : room)).join('|')})/`;
const LEAF = `^src/(?!(?:${TOP})/)([^/]+)/`;
const OUTER = folders(FLOORS.at(-1));
const SPEC = '\\.spec\\.ts$';

const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

const floorRules = FLOORS.slice(0, -1).map((rooms, floor) =>
  rule(
    `${rooms.join('-').replace('/', '-')}-imports-lower-floors`,
    { path: folders(rooms) },
    { path: [...FLOORS.slice(floor + 1).map(folders), '^src/process/', '^src/[^/]+\\.ts$'] },
  ),
);
const innerRules = Object.entries(INNER).flatMap(([room, { rooms, own }]) =>
  rooms.map((inner, place) =>
    rule(
      `${room.replace('/', '-')}-${inner.replace(/\W+/g, '-')}-is-low`,
      { path: `^src/${room}/${inner}/`, pathNot: SPEC },
      {
        path: [
          ...rooms.slice(place + 1).map((higher) => `^src/${room}/${higher}/`),
          `^src/${room}/(?!${rooms.join('/|')}/)${own}`,
        ],
      },
      'inside a room imports go one way, too',
    ),
  ),
);
const doorRules = Object.entries(DOORS).map(([rooms, door]) =>
  rule(
    `${rooms.replace(/\W+/g, '-')}-has-doors`,
    { path: '^src/', pathNot: `^src/${rooms.split('/(')[0].replace(/\/swagger-ui$/, '')}/` },
    { path: `^src/${rooms}/`, pathNot: `^src/${door}` },
  ),
);

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule('no-unresolved', {}, { couldNotResolve: true }),
    rule('no-orphans', { orphan: true, pathNot: '\\.(d|spec)\\.ts$|^src/(main|cli|index)\\.ts$|\\.browser\\.js$' }, {}),
    ...floorRules,
    ...innerRules,
    ...doorRules,
    rule(
      'kernel-is-pure',
      { path: '^src/kernel/', pathNot: SPEC },
      { pathNot: '^src/kernel/|node_modules/(sanitize-html|entities|@js-temporal/polyfill|moment-timezone)/' },
      'plain functions on plain values',
    ),
    rule(
      'terms-see-one-file-of-posts',
      { path: '^src/(terms|categories|tags)/' },
      { path: '^src/(posts|linked-posts)/', pathNot: '^src/posts/post\\.event-filter\\.ts$' },
    ),
    rule(
      'users-root-loads-no-events',
      { path: '^src/process/users-root\\.ts$' },
      { path: '^src/(events|pages|docs|transfer|app\\.module)', reachable: true },
      'commands on users and migrations load half as much',
    ),
    rule('linked-posts-know-no-terms', { path: '^src/(linked-posts|venues|organizers)/' }, { path: '^src/terms/' }),
    rule(
      'resources-are-strangers',
      { path: LEAF },
      { path: LEAF, pathNot: '^src/$1/' },
      'only events knows its neighbours',
    ),
    rule(
      'outer-rooms-are-strangers',
      { path: '^src/(namespace|feeds|changes|webhooks|pages|transfer|upkeep)/' },
      { path: OUTER, pathNot: '^src/$1/' },
    ),
    rule(
      'events-uses-public-files',
      { path: '^src/events/' },
      { path: LEAF, pathNot: '\\.(service|module|presenter|response|dto|kind)\\.ts$' },
    ),
    rule(
      'outer-uses-public-files',
      { path: OUTER },
      {
        path: [LEAF, '^src/events/'],
        pathNot:
          '\\.(service|module|response|dto|params)\\.ts$|^src/events/hooks/(write-hook|list-filter|member)\\.ts$',
      },
    ),
    rule(
      'one-way-to-a-page',
      { path: '^src/events/', pathNot: `^src/events/(event\\.list|events\\.module|(totals|filter|index)/.*)\\.ts$` },
      { path: '^src/events/(totals/event-totals|filter/index-hints|index/indexed-list)\\.ts$' },
      'EventList.page tells which moment and which filter each of them gets',
    ),
    rule(
      'controllers-hold-no-sql',
      { path: '\\.controller\\.ts$' },
      {
        path: '\\.(store|query|entity|filter)\\.ts$|^src/events/(filter|search|totals|index|write)/|node_modules/typeorm/',
        pathNot: 'exception\\.filter\\.ts$',
      },
    ),
    rule(
      'presenters-are-pure',
      { path: '\\.presenter\\.ts$|^src/events/filter/filter\\.ts$' },
      { path: 'node_modules/(@nestjs|typeorm|express)/' },
    ),
    rule(
      'documentation-libraries-are-loaded-late',
      { path: '^src/' },
      { path: 'node_modules/(@nestjs/swagger|class-validator-jsonschema)/', dependencyTypesNot: ['type-only'] },
      'src/docs/libraries.ts loads these packages',
    ),
    rule(
      'class-validator-is-loaded-in-parts',
      { path: '^src/', pathNot: '^src/errors/class-validator\\.ts$' },
      { path: 'node_modules/class-validator/', dependencyTypesNot: ['type-only'] },
      'src/errors/class-validator.ts says why',
    ),
    rule('no-tests-in-code', { path: '^src/', pathNot: SPEC }, { path: `${SPEC}|^test/` }),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};

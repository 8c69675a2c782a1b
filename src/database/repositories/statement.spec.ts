import { droppedIndex, hasSeveralStatements, kindOf, writtenTables } from './statement.js';

describe('kindOf', () => {
  it.each([
    ['SELECT 1', 'read'],
    ['  /* a comment */ -- another\n select * FROM rooms', 'read'],
    ['(SELECT 1) UNION (SELECT 2)', 'read'],
    ['WITH x AS (SELECT 1) SELECT * FROM x', 'read'],
    ['WITH x AS (SELECT 1) DELETE FROM rooms', 'write'],
    ['PRAGMA table_info("rooms")', 'read'],
    ['PRAGMA foreign_keys = OFF', 'setting'],
    ['PRAGMA foreign_keys(0)', 'setting'],
    ['PRAGMA main.query_only(1)', 'setting'],
    ['PRAGMA user_version', 'read'],
    ['SET SESSION sql_mode = 1', 'setting'],
    ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'isolation'],
    ['PRAGMA read_uncommitted = false', 'isolation'],
    ['BEGIN TRANSACTION', 'begin'],
    ['START TRANSACTION', 'begin'],
    ['COMMIT', 'commit'],
    ['ROLLBACK', 'rollback'],
    ['ROLLBACK TO SAVEPOINT typeorm_1', 'savepoint'],
    ['SAVEPOINT typeorm_1', 'savepoint'],
    ['RELEASE SAVEPOINT typeorm_1', 'savepoint'],
    ['INSERT INTO rooms VALUES (1) RETURNING id', 'write'],
    ['CREATE TABLE rooms (id int)', 'definition'],
    ['TRUNCATE TABLE `rooms`', 'definition'],
    ['/* all */ drop index ix_rooms_name', 'definition'],
    ['ANALYZE TABLE rooms', 'definition'],
    ['ANALYZE UPDATE rooms SET a = 1', 'write'],
    ['CREATE TEMPORARY TABLE few (id int)', 'write'],
    ['DROP TEMPORARY TABLE few', 'write'],
    ['CALL something()', 'write'],
  ])('%s: %s', (sql, kind) => expect(kindOf(sql)).toBe(kind));
});

describe('writtenTables', () => {
  it.each([
    ['INSERT INTO `events`(`id`, `title`) VALUES (DEFAULT, ?)', ['events']],
    ['INSERT INTO "Events"("id") VALUES (?)', ['events']],
    ['INSERT OR REPLACE INTO main.[events] VALUES (1)', ['events']],
    ['INSERT IGNORE events SET id = 1', ['events']],
    ['insert into rooms (images, "users") select images, users from events', ['rooms']],
    ['INSERT INTO rooms (id) VALUES (1) ON DUPLICATE KEY UPDATE images = 1', ['rooms']],
    ['REPLACE INTO `kalends`.`terms` VALUES (1)', ['terms']],
    ['UPDATE "events" SET title = ?', ['events']],
    ['UPDATE rooms SET images = 1, users = (SELECT count(*) FROM users)', ['rooms']],
    ['UPDATE rooms SET site = events.id FROM events', ['rooms']],
    ['UPDATE rooms r JOIN events AS e ON e.id = r.event_id SET r.a = e.b', ['rooms', 'events']],
    ['UPDATE rooms, `events` SET rooms.a = 1', ['rooms', 'events']],
    ['UPDATE OR IGNORE events SET a = 1', ['events']],
    ['DELETE FROM "events" WHERE id IN (1)', ['events']],
    ["DELETE FROM 'events'", ['events']],
    ["UPDATE 'events' SET title = 'x'", ['events']],
    ['DELETE FROM rooms WHERE id IN (SELECT room FROM events)', ['rooms']],
    ['DELETE e FROM events e JOIN rooms r ON r.id = e.id', ['e', 'events', 'rooms']],
    ['WITH old AS (SELECT id FROM events) DELETE FROM rooms WHERE id IN old', ['rooms']],
    ['WITH old (id) AS (SELECT id FROM rooms) UPDATE events SET a = 1', ['events']],
    ['TRUNCATE TABLE `events`', ['events']],
    ['TRUNCATE events', ['events']],
    ['DROP TABLE IF EXISTS rooms, events', ['rooms', 'events']],
    ['CREATE TABLE IF NOT EXISTS rooms (id int REFERENCES events(id))', ['rooms']],
    ['CREATE TABLE rooms AS SELECT a, images FROM events', ['rooms']],
    ['CREATE VIEW rooms AS SELECT a, images FROM events', ['rooms']],
    ['CREATE UNIQUE INDEX i ON events (title)', ['events']],
    ['ALTER TABLE `migrations` ADD a int', ['migrations']],
    ['ALTER TABLE rooms ADD CONSTRAINT f FOREIGN KEY (e) REFERENCES events(id) ON DELETE CASCADE', ['rooms']],
    ['RENAME TABLE rooms TO events', ['rooms', 'events']],
    ['CREATE TRIGGER t AFTER UPDATE ON events FOR EACH ROW BEGIN DELETE FROM rooms; END', ['events', 'rooms']],
    ["/* UPDATE events */ UPDATE rooms SET a = 'UPDATE events'", ['rooms']],
  ])('%s', (sql, tables) => expect(writtenTables(sql)).toEqual(tables));
});

describe('droppedIndex', () => {
  it.each([
    ['DROP INDEX ix_rooms_name', 'ix_rooms_name'],
    ['drop  index if exists "IX_rooms_name";', 'ix_rooms_name'],
    ['DROP INDEX main.[ix_rooms_name]', 'ix_rooms_name'],
    ['DROP INDEX "main"."ix_rooms_name"', 'ix_rooms_name'],
    ['DROP INDEX `ix_rooms_name` ON `rooms`', undefined],
    ['DROP TABLE ix_rooms_name', undefined],
  ])('%s: %s', (sql, name) => expect(droppedIndex(sql)).toBe(name));
});

describe('hasSeveralStatements', () => {
  it.each([
    ['SELECT 1', false],
    ['SELECT 1;', false],
    ['SELECT 1; -- the end\n', false],
    ["INSERT INTO rooms VALUES ('a; DROP TABLE rooms')", false],
    ['SELECT `a;b` FROM rooms', false],
    ['CREATE TRIGGER t AFTER INSERT ON rooms BEGIN DELETE FROM desks; DELETE FROM chairs; END', false],
    ['SELECT 1; SELECT 2', true],
    ["UPDATE rooms SET name = ';'; DELETE FROM events", true],
    ['SELECT 1;; BEGIN', true],
    ['SELECT 1 AS begin; DELETE FROM rooms', true],
    ['SELECT 5--1; DELETE FROM rooms', true],
    [String.raw`SELECT "a\" "; DELETE FROM rooms; -- "`, true],
    [String.raw`SELECT "a\";b"`, false],
    ["SELECT '\\\n;'", false],
    ['SELECT 1 /*! ; DELETE FROM rooms */', true],
  ])('%s', (sql, several) => {
    expect(hasSeveralStatements(sql)).toBe(several);
  });
});

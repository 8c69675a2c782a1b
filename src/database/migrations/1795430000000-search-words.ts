import { type MigrationInterface, type QueryRunner, Table, TableColumn, TableIndex } from 'typeorm';
import { TYPES } from '../sql/columns.js';

const WORDS = new Table({
  name: 'search_words',
  columns: [
    { name: 'word', ...TYPES.text(64), isPrimary: true },
    { name: 'block', ...TYPES.id(), isPrimary: true },
    { name: 'events', ...TYPES.bytes(2048) },
  ],
  indices: [new TableIndex({ name: 'ix_search_words_block', columnNames: ['block', 'word'] })],
  engine: 'InnoDB',
});

const BLOCKS = new Table({
  name: 'search_blocks',
  columns: [
    { name: 'block', ...TYPES.id(), isPrimary: true },
    { name: 'revision', ...TYPES.id() },
    { name: 'events', ...TYPES.bytes(2048) },
    { name: 'stale', ...TYPES.bytes(2048) },
  ],
  engine: 'InnoDB',
});

const SLICES = new Table({
  name: 'search_slices',
  columns: [
    { name: 'block', ...TYPES.id(), isPrimary: true },
    { name: 'gram', ...TYPES.id(), isPrimary: true },
    { name: 'events', ...TYPES.bytes(512) },
  ],
  engine: 'InnoDB',
});

const INDEX = 'search_index';
const NEXT_BLOCK = new TableColumn({ name: 'next_block', ...TYPES.id(), isNullable: true });

/** Replaces the slices of the search index by words. The next search has the index built in the background. */
export class SearchWords1795430000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On servers each statement commits by itself, so this keeps what an interrupted run has done.
    await runner.query(`DELETE FROM ${INDEX}`);
    await runner.dropTable(SLICES.name, true);
    for (const table of [WORDS, BLOCKS]) await runner.createTable(table.clone(), true);
    if (!(await runner.hasColumn(INDEX, NEXT_BLOCK.name))) await runner.addColumn(INDEX, NEXT_BLOCK.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM ${INDEX}`);
    await runner.dropColumn(INDEX, NEXT_BLOCK.name);
    for (const { name } of [BLOCKS, WORDS]) await runner.dropTable(name);
    await runner.createTable(SLICES.clone(), true);
  }
}

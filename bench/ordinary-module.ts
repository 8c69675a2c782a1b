import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CanActivate, Controller, Get, Injectable, Module, Param, ParseIntPipe, UseGuards } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Column, Entity, type MigrationInterface, PrimaryGeneratedColumn, type QueryRunner, Repository } from 'typeorm';

/* The service with an ordinary module: routes, a guard of its own, a pipe and a repository, nothing for all routes. */
const service = pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'dist', 'index.js')).href;
const { NAMESPACE, serve } = (await import(service)) as typeof import('../src/index.js');

@Entity('bench_rooms')
class Room {
  @PrimaryGeneratedColumn() id: number;
  @Column() name: string;
}

class Rooms1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE bench_rooms (id INTEGER PRIMARY KEY, name VARCHAR(50) NOT NULL)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bench_rooms');
  }
}

@Injectable()
class Open implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@UseGuards(Open)
@Controller(`${NAMESPACE}/rooms`)
class RoomsController {
  constructor(@InjectRepository(Room) private readonly rooms: Repository<Room>) {}

  @Get() list(): Promise<Room[]> {
    return this.rooms.find();
  }

  @Get(':id') read(@Param('id', ParseIntPipe) id: number): Promise<Room | null> {
    return this.rooms.findOneBy({ id });
  }
}

@Module({ imports: [TypeOrmModule.forFeature([Room])], controllers: [RoomsController] })
class RoomsModule {}

await serve({ modules: [RoomsModule], migrations: [Rooms1795700000000] });

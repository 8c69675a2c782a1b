import type { Extension } from 'kalends';
import { CreateRooms1795600000000 } from './rooms/migrations/1795600000000-create-rooms.js';
import { RoomsModule } from './rooms/rooms.module.js';

/** What the server and the commands add to the service. */
export const ROOMS: Extension = { modules: [RoomsModule], migrations: [CreateRooms1795600000000] };

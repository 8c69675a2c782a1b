import { registerErrors } from 'kalends';

declare module 'kalends' {
  interface ModuleErrors {
    room_taken: true;
  }
}

registerErrors({ room_taken: { status: 409, message: 'Another event is in the room {name} at that time.' } });

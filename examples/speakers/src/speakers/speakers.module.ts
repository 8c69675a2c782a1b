import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventSpeakerRow, SpeakerRow } from './speaker.entity.js';
import { SpeakersController } from './speakers.controller.js';
import { SpeakersService } from './speakers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SpeakerRow, EventSpeakerRow])],
  controllers: [SpeakersController],
  providers: [SpeakersService],
})
export class SpeakersModule {}

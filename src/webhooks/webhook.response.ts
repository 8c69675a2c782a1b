import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../platform/http/api-decorators.js';
import { MESSAGE_STATES, type MessageState } from './webhook-message.entity.js';

const TIME = '2026-11-20 09:30:00';

/** A webhook (webhooks section 1). */
@ApiSchema({ name: 'Webhook', description: 'An address to which messages about changes are sent' })
export class WebhookResponse {
  @ApiProperty({ description: 'the id', type: 'integer', example: 12 }) id: number;
  @ApiProperty({ description: 'where messages are sent', example: 'https://receiver.example/hooks' }) url: string;
  @ApiProperty({ description: 'a note for administrators', example: 'The city portal' }) description: string;
  @ApiProperty({ description: 'the types of messages', type: [String], example: ['event.*'] }) types: string[];
  @ApiProperty({ description: 'whose view it gets', enum: ['public', 'all'], example: 'public' }) audience: string;
  @ApiProperty({ description: 'what messages contain', enum: ['thin', 'record'], example: 'thin' }) payload: string;
  @ApiProperty({ description: 'whether messages are sent', type: Boolean, example: true }) active: boolean;
  @ApiProperty({
    description: 'why no messages are sent; empty: they are',
    enum: ['', 'paused', 'gone', 'failing', 'restored'],
    example: '',
  })
  disabled_reason: string;
  @ApiProperty({
    description: 'when the first attempt since the last success failed; empty: none',
    example: '',
  })
  failing_since_utc: string;
  @ApiProperty({ description: 'how many messages wait', type: 'integer', example: 0 }) pending: number;
  @ApiProperty({
    description: 'changes before this time were purged before they were sent; empty: none',
    example: '',
  })
  missed_before_utc: string;
  @ApiProperty({ description: 'when the last message was delivered; empty: never', example: TIME })
  last_success_utc: string;
  @ApiProperty({ description: 'when it was made, in UTC', example: TIME }) created_utc: string;
  @ApiProperty({ description: 'when it was changed last, in UTC', example: TIME }) modified_utc: string;
  @ApiProperty({ description: 'its address', example: 'https://example.com/calendar/events/v1/webhooks/12' })
  rest_url: string;
  @ApiPropertyOptional({
    description: 'the secret that signs messages; only in the answer to create and rotate',
    example: 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH5WbX5kEWLlc=',
  })
  secret?: string;
}

@ApiSchema({ name: 'WebhookAttempt', description: 'One attempt to send a message' })
export class WebhookAttemptResponse {
  @ApiProperty({ description: 'when it began, in UTC', example: TIME }) at_utc: string;
  @ApiProperty({ description: 'the status of the answer; 0: there was none', type: 'integer', example: 200 })
  status: number;
  @ApiProperty({ description: 'how long it took', type: 'integer', example: 42 }) milliseconds: number;
  @ApiProperty({
    description: 'why it failed; empty: it did not',
    enum: ['', 'timeout', 'connect', 'tls', 'dns', 'forbidden_address', 'redirect', 'status', 'too_large'],
    example: '',
  })
  error: string;
}

@ApiSchema({ name: 'WebhookRecord', description: 'The record that a message is about' })
export class WebhookRecordResponse {
  @ApiProperty({ description: 'its type', example: 'event' }) type: string;
  @ApiProperty({ description: 'its id', type: 'integer', example: 12 }) id: number;
}

/** A message to a webhook (webhooks section 1). */
@ApiSchema({ name: 'WebhookMessage', description: 'A message, without its body' })
export class WebhookMessageResponse {
  @ApiProperty({ description: 'the webhook-id, the same in every attempt', example: 'msg_9f3c0a7e_12_8673' })
  id: string;
  @ApiProperty({ description: 'what has happened', example: 'event.updated' }) type: string;
  @ApiProperty({ description: 'how far it is', enum: [...MESSAGE_STATES], example: 'delivered' }) state: MessageState;
  @ApiProperty({ description: 'the record that it is about', type: WebhookRecordResponse })
  record: WebhookRecordResponse;
  @ApiProperty({ description: 'the last attempts, newest first', type: [WebhookAttemptResponse] })
  attempts: WebhookAttemptResponse[];
  @ApiProperty({ description: 'when it is tried again, in UTC; empty: never', example: '' }) next_attempt_utc: string;
  @ApiProperty({ description: 'when it was made, in UTC', example: TIME }) created_utc: string;
}

/** The answer to a replay. */
@ApiSchema({ name: 'WebhookReplay' })
export class WebhookReplayResponse {
  @ApiProperty({ description: 'how many messages are sent again', type: 'integer', example: 3 }) queued: number;
}
